public import FanoutEngine

/// A sequence of arrays of the values that wait for a loop: ``SharedSequence/batches(upTo:)``
/// returns it.
///
/// An array has the values that waited together, oldest first; it is never empty.
///
/// - Starts: a subscriber with each iterator.
/// - Stops: with the loop, its task or the end.
/// - A late loop gets: as its source.
/// - Slow loop: as of its source, in larger arrays.
/// - Memory: as its source.
///
/// - Completion, cancel: as a loop over the source. The end comes behind the last array; a failure
///   is thrown behind it.
/// - Cost: one wake-up and one lock for up to 256 values, instead of a wake-up for each.
public struct SharedBatches<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The way to events that are made of values, where only the type of the events is known: takes
  /// those that wait, up to a number of them, or waits for the next one.
  typealias Events = (_ count: Int, inout [Value], isolated (any Actor)?) async -> FoundBatch<
    Subscribers.Completion<Failure>
  >

  /// The way in which a loop gets its values.
  enum Beginning {
    /// It fetches them from its own place in the shared log.
    case cursor(ElementCursor<Value, Failure>)
    /// It fetches events, each of which is made of a value, or of none.
    case events(Events)
    /// It requests them one by one.
    case requests(AnyPublisher<Value, Failure>)
  }

  /// The greatest number of values in an array.
  let count: Int
  /// The closure that begins a loop.
  let begin: @Sendable () -> Beginning

  init(upTo count: Int, begin: @escaping @Sendable () -> Beginning) {
    trap(
      unless: count > 0,
      "batches(upTo: \(count)): an array would have no room for a value; pass 1 or more.")
    self.count = count
    self.begin = begin
  }

  /// Subscribes; the loop receives everything from here on.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  public func makeAsyncIterator() -> Iterator {
    switch BoundedDelivery.limit({ begin() }) {
    case .cursor(let cursor): Iterator(count: count, cursor: cursor)
    case .events(let events): Iterator(count: count, events: events)
    case .requests(let publisher):
      Iterator(
        count: count,
        requests: RequestedBatches(of: publisher, upTo: count).values.makeAsyncIterator())
    }
  }

  /// The place of one loop, which leaves when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    package typealias Requests = AsyncPublisher<
      RequestedBatches<AnyPublisher<Value, Failure>>
    >.Iterator

    @usableFromInline let count: Int
    @usableFromInline package let cursor: ElementCursor<Value, Failure>?
    let events: Events?
    /// The loop that requests its arrays one by one, where the thread that delivers says what it
    /// gets.
    package var requests: Requests?
    /// The end that was found behind the values of the last array.
    @usableFromInline var end: Subscribers.Completion<Failure>?

    init(
      count: Int, cursor: ElementCursor<Value, Failure>? = nil,
      events: Events? = nil, requests: Requests? = nil
    ) {
      self.count = count
      self.cursor = cursor
      self.events = events
      self.requests = requests
    }

    /// Waits until there is a value; returns what waits then, or nil at the end and when the task
    /// is cancelled.
    ///
    /// - Returns: One value or more, or nil.
    /// - Throws: The failure, once, after every value.
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> [Value]? {
      try await next(isolation: #isolation)
    }

    /// Waits until there is a value; returns what waits then, or nil at the end and when the task
    /// is cancelled.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: One value or more, or nil.
    /// - Throws: The failure, once, after every value.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> [Value]? {
      var batch: [Value] = []
      var rest: FoundBatch<Subscribers.Completion<Failure>>
      if let end {
        self.end = nil
        rest = Task.isCancelled ? .nothing : .end(end)
      } else if let cursor {
        rest = cursor.fetch(upTo: count, into: &batch)
        if batch.isEmpty, case .values = rest {
          switch await cursor.next(isolation: actor).value {
          case .element(let value):
            batch.append(value)
            // What has come with it.
            rest = cursor.fetch(upTo: count, into: &batch)
          case .end(let end): rest = .end(end)
          case .nothing, .again: rest = .nothing
          }
        }
      } else {
        rest = await fetch(&batch, isolation: actor)
      }
      switch rest {
      case .values: return batch
      case .nothing: return nil
      case .end(let end) where !batch.isEmpty: self.end = end
      case .end(.failure(let error)): throw error
      case .end(.finished): return nil
      }
      return batch
    }

    /// Takes the events that wait, or waits for the next one; or requests an array.
    @usableFromInline
    mutating func fetch(
      _ batch: inout [Value], isolation actor: isolated (any Actor)?
    ) async -> FoundBatch<Subscribers.Completion<Failure>> {
      if let events { return await events(count, &batch, actor) }
      do throws(Failure) {
        guard let requested = try await requests?.next(isolation: actor) else { return .nothing }
        batch = requested
        return .values
      } catch {
        return .end(.failure(error))
      }
    }
  }
}

extension SharedSequence {
  /// Returns what waits for a loop, as arrays: a loop that is slower than the values gets several
  /// at a time.
  ///
  /// Use it where several values can be handled in one step: one write to a socket, one
  /// transaction, one redraw. A loop that is fast gets arrays of one value. No value waits for
  /// others to come.
  ///
  /// The rules are those of a loop over the values: each value once, in order, then the end; a
  /// ``Backlog`` drops and waits as there. What comes between two arrays waits in the backlog,
  /// under its limits, until the loop asks for the next array. Under ``Backlog/WhenFull/wait`` the
  /// last values of an array may still count as waiting until then. Only then are more values
  /// requested from the upstream.
  ///
  /// - Parameter count: The greatest number of values in an array, 1 or more. A smaller number
  ///   traps.
  /// - Returns: A sequence of arrays; each loop over it is a subscriber of its own.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>(replay: .all)
  /// for number in 1...4 { events.yield(number) }
  /// events.finish()
  /// for await batch in events.values.batches(upTo: 3) { print(batch) }
  /// // Prints:
  /// // [1, 2, 3]
  /// // [4]
  /// ```
  public func batches(upTo count: Int) -> SharedBatches<Element, Failure> {
    SharedBatches(upTo: count) { [publisher] in
      let access = publisher._access
      return access.makeCursor().map { .cursor($0) }
        ?? .requests(access.losingNothing.eraseToAnyPublisher())
    }
  }
}

@available(*, unavailable)
extension SharedBatches.Iterator: Sendable {}
