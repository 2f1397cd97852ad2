public import FanoutEngine

/// Where a replaying hub's values and end go: a subscriber, which it retains.
///
/// The core has the same few lines of its own. They are written again because this module uses of
/// the core only what Combine offers too.
@usableFromInline
final class ReplayOutlet<Downstream: Subscriber>: Outlet<
  Downstream.Input, Subscribers.Completion<Downstream.Failure>
>
{
  @usableFromInline let subscriber: Downstream

  @inlinable
  init(_ subscriber: Downstream) {
    self.subscriber = subscriber
    super.init { outlet, value in
      unsafeDowncast(outlet, to: ReplayOutlet<Downstream>.self).subscriber
        ._receiveGuarded(value).credit
    }
  }

  @inlinable
  override func finish(_ end: Subscribers.Completion<Downstream.Failure>) {
    subscriber.receive(completion: end)
  }
}

extension ReplayOutlet: ReferenceListing {
  package var heldReferences: [HeldReference] {
    outletReferences + [.value("subscriber", subscriber)]
  }
}
