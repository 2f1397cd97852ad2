// Unmanaged references: a subscription owns the retains that are made for it here; see `Cursor`.

public import FanoutEngine

/// The subscription of one subscriber to a subject, a future or a multicast: its cursor in their
/// hub.
@usableFromInline
package class HubSubscription<Downstream: Subscriber>: DemandCursor<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>, DescribedSubscription
{
  /// The name in the subscription's description.
  @usableFromInline
  package enum Name: UInt8, Sendable {
    case passthrough, currentValue, future, replay, multicast
    /// The name of the empty subscription, which a subscriber that arrives after the end of a
    /// subject receives, as in Combine.
    case empty

    /// The name of a subscription that begins after the end.
    var afterEnd: Name {
      self == .passthrough || self == .currentValue ? .empty : self
    }
  }

  /// Creates a subscription; the caller passes owner and receiver retained.
  ///
  /// The closure is formed by the caller, where the type of the subscriber is known.
  @usableFromInline
  package init(
    hub: Unmanaged<Hub<Downstream.Input, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>, name: Name,
    deliver: @escaping Deliver = { Downstream._deliver($1, to: $0).credit }
  ) {
    let isEnded = hub._withUnsafeGuaranteedRef { $0.isEnded }
    super.init(
      hub: hub, owner: owner, receiver: receiver, kind: (isEnded ? name.afterEnd : name).rawValue,
      deliver: deliver)
  }

  package final override func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, detach: () -> Bool
  ) {
    let subscriber = Downstream._subscriber(receiver.takeUnretainedValue())
    if detach() { subscriber.receive(completion: end) }
  }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline package final var description: String {
    switch Name(rawValue: kind) {
    case .passthrough: "PassthroughSubject"
    case .currentValue: "CurrentValueSubject"
    case .future: "Future"
    case .replay: "ReplaySubject"
    case .multicast: "Multicast"
    case .empty, nil: "Empty"
    }
  }
}

extension Hub {
  /// Attaches a subscriber whose subscription retains `owner`, which retains this hub.
  @inlinable
  package func attach<Downstream: Subscriber>(
    _ subscriber: Downstream, owner: AnyObject, name: HubSubscription<Downstream>.Name
  ) where Downstream.Input == Element, End == Subscribers.Completion<Downstream.Failure> {
    let subscription = HubSubscription<Downstream>(
      hub: .passUnretained(self), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, name: name)
    attach(subscriber, by: subscription)
  }

  /// Attaches a subscriber, which joins here, receives its subscription, and then values.
  @inlinable
  @inline(__always)
  package func attach<Downstream: Subscriber>(
    _ subscriber: Downstream, by subscription: HubSubscription<Downstream>
  ) where Downstream.Input == Element, End == Subscribers.Completion<Downstream.Failure> {
    if let credit = subscriber._fuse(subscription) {
      return start(subscription, asking: credit)
    }
    join(subscription)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}
