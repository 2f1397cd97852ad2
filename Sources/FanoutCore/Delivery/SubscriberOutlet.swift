public import FanoutEngine

/// Where a hub's values and end go: a subscriber, which it retains.
@usableFromInline
final class SubscriberOutlet<Downstream: Subscriber>: Outlet<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>
{
  @usableFromInline let subscriber: Downstream

  @inlinable
  init(_ subscriber: Downstream) {
    self.subscriber = subscriber
    super.init { outlet, value in
      unsafeDowncast(outlet, to: SubscriberOutlet<Downstream>.self).subscriber
        ._receiveGuarded(value).credit
    }
  }

  @inlinable
  override func finish(_ end: Subscribers.Completion<Downstream.Failure>) {
    subscriber.receive(completion: end)
  }
}

extension SubscriberOutlet: ReferenceListing {
  package var heldReferences: [HeldReference] {
    outletReferences + [.value("subscriber", subscriber)]
  }
}
