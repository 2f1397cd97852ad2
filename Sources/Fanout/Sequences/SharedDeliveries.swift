/// The values of a shared sequence with what a loop should know about them: ``SharedSequence/deliveries()`` returns it.
///
/// | starts | stops | a late loop gets | slow loop | memory |
/// | --- | --- | --- | --- | --- |
/// | a subscriber with each iterator | with the loop, its task or the end | as its source, then `.caughtUp` | as of its source, and `.missed` | as its source |
///
/// - Completion, cancel: as a loop over the source.
/// - Cost: a loop requests its events one by one.
public struct SharedDeliveries<Value: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The events.
  public typealias Element = Delivery<Value>
  /// The place of one loop, which leaves when it is released.
  public typealias AsyncIterator = AsyncPublisher<
    Publishers.Deliveries<AnySharedPublisher<Value, Failure>>
  >.AsyncIterator

  let source: AnySharedPublisher<Value, Failure>

  init(source: AnySharedPublisher<Value, Failure>) { self.source = source }

  /// Subscribes; the loop receives everything from here on.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  public func makeAsyncIterator() -> AsyncIterator {
    source.deliveries().values.makeAsyncIterator()
  }

  /// Returns what waits for a loop, as arrays; see ``SharedSequence/batches(upTo:)``.
  ///
  /// - Parameter count: The greatest number of events in an array, 1 or more. A smaller number traps.
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
      .requests(source.deliveries().eraseToAnyPublisher())
    }
  }
}

extension SharedSequence {
  /// Returns the values with what a loop should know about them: which of them are replayed, when it has caught up, and
  /// what it has missed.
  ///
  /// Rule B5 and ``SharedPublisher/deliveries()`` describe the events. Without a ``Backlog`` a loop misses nothing.
  /// Call ``joining(_:backlog:label:)`` before it for a place or a backlog of the loop's own.
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
    SharedDeliveries(source: publisher.losingNothing())
  }
}
