public import FanoutEngine

/// The subscription of one subscriber to a subject: its cursor in the subject's hub.
@usableFromInline
final class SubjectSubscription<Output, Failure: Error>: Cursor<
  Output, Subscribers.Completion<Failure>
>, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// What the subscription calls itself; one byte, because there are many of them.
  @usableFromInline
  enum Name: UInt8, Sendable {
    case passthrough, currentValue
    /// Combine hands the empty subscription to who comes after the end.
    case empty
  }

  @usableFromInline let name: Name

  @usableFromInline
  init(
    hub: Hub<Output, Subscribers.Completion<Failure>>, owner: AnyObject,
    outlet: Outlet<Output, Subscribers.Completion<Failure>>, name: Name
  ) {
    self.name = name
    super.init(hub: hub, owner: owner, outlet: outlet)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline var description: String {
    switch name {
    case .passthrough: "PassthroughSubject"
    case .currentValue: "CurrentValueSubject"
    case .empty: "Empty"
    }
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Hub {
  /// Attaches a subscriber: it joins here, is told of its subscription, and then receives.
  @inlinable
  func attach<Downstream: Subscriber>(
    _ subscriber: Downstream, owner: AnyObject,
    name: SubjectSubscription<Element, Downstream.Failure>.Name
  ) where Downstream.Input == Element, End == Subscribers.Completion<Downstream.Failure> {
    let subscription = SubjectSubscription<Element, Downstream.Failure>(
      hub: self, owner: owner, outlet: SubscriberOutlet(subscriber),
      name: isEnded ? .empty : name)
    subscription.join()
    (subscriber as? any GuardedReceiver)?.guardDeliveries(by: subscription)
    subscriber.receive(subscription: subscription)
    subscription.begin()
  }
}

extension SubjectSubscription: ReferenceListing {
  package var heldReferences: [HeldReference] { cursorReferences }
}
