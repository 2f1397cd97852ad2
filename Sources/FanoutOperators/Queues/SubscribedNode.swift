// It does not say whether it is `Sendable`, as `ChainNode` does not: one of its subclasses is.

public import FanoutCore
public import FanoutEngine

/// The base of the subscribers that are no source of another one themselves.
///
/// It has the methods that a publisher calls, once for all of them.
@usableFromInline
package class SubscribedNode<Input, Failure: Error>: ChainNode, Subscriber {
  @usableFromInline
  package func receive(subscription: any Subscription) {}

  /// Accepts a source without receiving a subscription; returns nil if that is not possible.
  @usableFromInline
  package func _fuse(_ source: DeliverySource) -> Credit? { nil }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand { .none }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {}
}
