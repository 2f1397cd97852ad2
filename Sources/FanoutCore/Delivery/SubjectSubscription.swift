// Unmanaged references: a subscription owns the retains that are made for it here; see `Cursor`.

public import FanoutEngine

/// The subscription of one subscriber to a subject: its cursor in the subject's hub.
@usableFromInline
final class SubjectSubscription<Downstream: Subscriber>: Cursor<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// The name in the subscription's description.
  @usableFromInline
  enum Name: UInt8, Sendable {
    case passthrough, currentValue, future
    /// The name of the empty subscription, which a subscriber that arrives after the end receives,
    /// as in Combine.
    case empty

    /// The name of a subscription that begins after the end.
    @inlinable var afterEnd: Name { self == .future ? self : .empty }
  }

  /// Creates a subscription; the caller passes owner and receiver retained.
  @inlinable
  init(
    hub: Unmanaged<Hub<Downstream.Input, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>, name: Name
  ) {
    super.init(hub: hub, owner: owner, receiver: receiver, kind: name.rawValue) { receiver, value in
      Downstream._subscriber(receiver)._receiveFused(value).credit
    }
  }

  @usableFromInline
  override func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, _ receiver: AnyObject
  ) {
    Downstream._subscriber(receiver).receive(completion: end)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline var description: String {
    switch Name(rawValue: kind) {
    case .passthrough: "PassthroughSubject"
    case .currentValue: "CurrentValueSubject"
    case .future: "Future"
    case .empty, nil: "Empty"
    }
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Hub {
  /// Attaches a subscriber, which joins here, receives its subscription, and then values.
  @inlinable
  func attach<Downstream: Subscriber>(
    _ subscriber: Downstream, owner: AnyObject, name: SubjectSubscription<Downstream>.Name
  ) where Downstream.Input == Element, End == Subscribers.Completion<Downstream.Failure> {
    let subscription = SubjectSubscription<Downstream>(
      hub: .passUnretained(self), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, name: isEnded ? name.afterEnd : name)
    if let credit = subscriber._fuse(subscription) {
      return start(subscription, asking: credit)
    }
    join(subscription)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}
