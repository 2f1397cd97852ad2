// Unmanaged references: `receiver` and `counter` are used only while the owner of the cursor is
// retained; see `Cursor`.

public import FanoutEngine

/// An event of ``SharedPublisher/deliveries()``: a value, or a note about the values.
public enum Delivery<Value> {
  /// A value from before the subscriber joined.
  case replayed(Value)
  /// The end of the replay: every later value is new.
  case caughtUp
  /// A value that was accepted after the subscriber had joined.
  case live(Value)
  /// The number of values that this subscriber has lost; nil if the number is unknown.
  case missed(Int?)

  /// The value, if the event has one.
  public var value: Value? {
    switch self {
    case .replayed(let value), .live(let value): value
    case .caughtUp, .missed: nil
    }
  }
}

extension Delivery: Sendable where Value: Sendable {}
extension Delivery: Equatable where Value: Equatable {}
extension Delivery: Hashable where Value: Hashable {}

extension Publishers {
  /// A publisher of the values of a shared publisher, and of what a subscriber should know about
  /// them.
  ///
  /// - Starts: as its source.
  /// - Stops: as its source.
  /// - A late subscriber gets: as its source, then `.caughtUp`.
  /// - A slow subscriber: as its source, and `.missed`.
  /// - Memory: as its source.
  ///
  /// - Demand: every event counts as one value, also `.caughtUp` and `.missed`.
  /// - Completion: comes after the events that wait.
  /// - Ownership: retains its source. A subscription retains the source until cancel or completion.
  public struct Deliveries<Upstream: SharedPublisher>: Publisher, UpstreamFailure {
    /// The events.
    public typealias Output = Delivery<Upstream.Output>

    /// The shared publisher.
    @usableFromInline package let source: Upstream

    /// Attaches the specified subscriber.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      source._access.attach(subscriber) { receiver, notice in
        S._subscriber(receiver).receive(Delivery(notice)).credit
      }
    }
  }
}

extension Publishers.Deliveries: Sendable where Upstream: Sendable {}

extension SharedPublisher {
  /// Returns the values with what a subscriber should know about them: which of them are replayed,
  /// when it has caught up, and what it has missed.
  ///
  /// A subscriber gets `.replayed` for each value from before it joined, `.caughtUp` once, and
  /// `.live` for each later value. If values were lost, it gets `.missed` with their number as soon
  /// as it has demand. That comes before the next value or the completion, and before `.caughtUp`
  /// if the first of the lost values belongs to the replay. If there is no replay, `.caughtUp`
  /// comes first. Values in front of the keyframe for which it had to wait count as missed.
  ///
  /// Of a reduced state (``Publishers/ShareState``), `.missed` also counts changes that the
  /// snapshot behind it contains. Nothing is lost then.
  ///
  /// - Returns: A publisher of events.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share(replay: .last(1), backlog: .size(2, whenFull: .dropOldest))
  /// let keeping = shared.sink { _ in }
  /// source.send(1)
  /// let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .max(2))
  /// shared.deliveries().subscribe(slow)
  /// for number in 2...6 { source.send(number) }
  /// slow.request(.unlimited)
  /// for delivery in slow.values { print(delivery) }
  /// slow.cancel()
  /// keeping.cancel()
  /// // Prints:
  /// // replayed(1)
  /// // caughtUp
  /// // missed(Optional(3))
  /// // live(5)
  /// // live(6)
  /// ```
  public func deliveries() -> Publishers.Deliveries<Self> { Publishers.Deliveries(source: self) }
}

extension Delivery {
  /// Creates what a subscriber receives for a notice of the hub.
  @inlinable
  init(_ notice: Notice<Value>) {
    switch notice {
    case .replayed(let value): self = .replayed(value)
    case .caughtUp: self = .caughtUp
    case .live(let value): self = .live(value)
    case .missed(let count): self = .missed(count)
    }
  }
}

/// The subscription of a subscriber that is told more than its values.
package final class DeliveriesSubscription<Value, Downstream: Subscriber>: DemandCursor<
  Value, Subscribers.Completion<Downstream.Failure>
>, DescribedSubscription
where Downstream.Input == Delivery<Value> {
  /// The counter that has counted the subscriber in; the owner retains it.
  package unowned(unsafe) let counter: SubscriberCounter?

  init(
    hub: Unmanaged<Hub<Value, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>, counter: SubscriberCounter?
  ) {
    self.counter = counter
    // The hub calls the closure of its terms instead.
    super.init(hub: hub, owner: owner, receiver: receiver) { _, _ in .none }
  }

  package override func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, detach: () -> Bool
  ) {
    let subscriber = Downstream._subscriber(receiver.takeUnretainedValue())
    if detach() { subscriber.receive(completion: end) }
  }

  package override func didLeave(atEnd: Bool) { counter?.leave(atEnd: atEnd) }

  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  package var description: String { "Deliveries" }
}
