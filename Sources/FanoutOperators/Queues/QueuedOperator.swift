public import FanoutCore
internal import FanoutEngine

/// The base of the operators with a queue that subscribe to one upstream: its subscriber.
@usableFromInline
package class QueuedOperator<Input, Item, Output, Failure: Error>: QueuedSubscription<
  Item, Output, Failure
>,
Subscriber
{
  /// Accepts the only upstream's subscription, then gives the subscriber this one.
  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    didAttach()
    begin()
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand { .none }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) { endOfUpstream(completion) }
}
