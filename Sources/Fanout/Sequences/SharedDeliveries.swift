public import FanoutEngine

/// The values of a shared sequence with what a loop should know about them:
/// ``SharedSequence/deliveries()`` returns it.
///
/// - Starts: a subscriber with each iterator.
/// - Stops: with the loop, its task or the end.
/// - A late loop gets: as its source, then `.caughtUp`.
/// - Slow loop: as of its source, and `.missed`.
/// - Memory: as its source.
///
/// - Completion, cancel: as a loop over the source.
/// - Cost: as a loop over the source.
public struct SharedDeliveries<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  let source: AnySharedPublisher<Value, Failure>

  init(source: AnySharedPublisher<Value, Failure>) { self.source = source }

  /// Subscribes; the loop receives everything from here on.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  public func makeAsyncIterator() -> Iterator {
    source._access.makeDeliveriesIterator()
  }

  /// The place of one loop, which leaves when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    package typealias Requests = AsyncPublisher<
      Publishers.Deliveries<AccessedPublisher<Value, Failure>>
    >.AsyncIterator

    @usableFromInline package let cursor: ElementCursor<Value, Failure>?
    /// The loop that requests its events one by one, where the thread that delivers says what it
    /// gets.
    package var requests: Requests?

    init(cursor: ElementCursor<Value, Failure>?, requests: Requests?) {
      self.cursor = cursor
      self.requests = requests
    }

    /// Waits for the next event; returns nil at the end and when the task is cancelled.
    ///
    /// - Returns: The next event, or nil.
    /// - Throws: The failure, once, after every event.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> Delivery<Value>? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next event; returns nil at the end and when the task is cancelled.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The next event, or nil.
    /// - Throws: The failure, once, after every event.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Delivery<Value>? {
      try await next(isolation: actor, isSpecialized: true)
    }

    /// Waits for the next event; for `isSpecialized`, see `PullCursor`.
    @inlinable
    mutating func next(
      isolation actor: isolated (any Actor)?, isSpecialized: Bool
    ) async throws(Failure) -> Delivery<Value>? {
      guard let cursor else { return try await nextRequested(isolation: actor) }
      let fetched: Fetched<Notice<Value>, Subscribers.Completion<Failure>>
      if let found = cursor.fetchNotice(isSpecialized: isSpecialized) {
        fetched = found
      } else {
        fetched = await cursor.nextNotice(isolation: actor, isSpecialized: isSpecialized).value
      }
      switch fetched {
      case .element(let notice): return Delivery(notice)
      case .end(.failure(let error)): throw error
      case .end(.finished), .nothing, .again: return nil
      }
    }

    @usableFromInline
    mutating func nextRequested(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Delivery<Value>? { try await requests?.next(isolation: actor) }
  }

  /// Returns what waits for a loop, as arrays; see ``SharedSequence/batches(upTo:)``.
  ///
  /// - Parameter count: The greatest number of events in an array, 1 or more. A smaller number
  ///   traps.
  /// - Returns: A sequence of arrays; each loop over it is a subscriber of its own.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>(replay: .last(2))
  /// for number in 1...3 { events.yield(number) }
  /// events.finish()
  /// for await batch in events.values.deliveries().batches(upTo: 10) { print(batch.count) }
  /// // Prints:
  /// // 3
  /// ```
  public func batches(upTo count: Int) -> SharedBatches<Delivery<Value>, Failure> {
    SharedBatches(upTo: count) { [source] in
      let access = source._access
      if let cursor = access.makeCursor(isTold: true) {
        return .events { await cursor.fetchEvents(upTo: $0, into: &$1, isolation: $2) }
      }
      return .requests(access.losingNothing.deliveries().eraseToAnyPublisher())
    }
  }
}

extension SharedSequence {
  /// Returns the values with what a loop should know about them: which of them are replayed, when
  /// it has caught up, and what it has missed.
  ///
  /// Rule B5 and ``SharedPublisher/deliveries()`` describe the events. Without a ``Backlog`` a loop
  /// misses nothing. Call ``joining(_:where:backlog:label:)`` before it for a place or a backlog of
  /// the loop's own.
  ///
  /// - Returns: A sequence of events; each loop over it is a subscriber of its own.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>(replay: .last(1))
  /// events.yield(1)
  /// let newest = events.values.joining(backlog: .size(1, whenFull: .dropOldest))
  /// for await event in newest.deliveries() {
  ///   print(event)
  ///   guard case .caughtUp = event else { continue }
  ///   for number in 2...5 { events.yield(number) }
  ///   events.finish()
  /// }
  /// // Prints:
  /// // replayed(1)
  /// // caughtUp
  /// // missed(Optional(3))
  /// // live(5)
  /// ```
  public func deliveries() -> SharedDeliveries<Element, Failure> {
    SharedDeliveries(source: publisher)
  }
}

@available(*, unavailable)
extension SharedDeliveries.Iterator: Sendable {}
