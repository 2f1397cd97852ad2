public import FanoutCore
public import FanoutEngine

/// The base of the operators that deliver the values of several publishers.
@usableFromInline
package class JoiningSubscription<Input, Output, Failure: Error>: QueuedSubscription<
  Input, Output, Output, Failure
>
{
  /// Subscribes to one more publisher, unless the end was decided before.
  @inlinable
  final func join<Source: Publisher>(_ source: Source)
  where Source.Output == Output, Source.Failure == Failure {
    if let subscriber = makeSubscriber() { source.receive(subscriber: subscriber) }
  }

  /// Returns the subscriber to one more publisher, unless the end was decided before.
  @usableFromInline
  func makeSubscriber() -> JoinedSubscriber<Input, Output, Failure>? { nil }

  /// Delivers the only value of one more publisher, which is not subscribed to.
  @usableFromInline
  func acceptOnly(_ value: Output) {}

  /// Notes that no more publishers will be added: when the present ones have finished, everything
  /// has.
  @usableFromInline
  func noMoreCome() {}

  /// Notes that a publisher has its subscription, and returns its initial demand.
  func didAttach(_ feed: InnerSubscription) -> Credit { .none }

  /// Accepts a value of one of the publishers.
  func accept(_ value: Output, from feed: InnerSubscription) {}

  /// Accepts the completion of one of the publishers.
  func feedDidEnd(_ feed: InnerSubscription, _ completion: Subscribers.Completion<Failure>) {}
}

/// The subscriber to one of the publishers.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores
/// it.
@usableFromInline
package struct JoinedSubscriber<ParentInput, Input, Failure: Error>: Subscriber {
  package let parent: JoiningSubscription<ParentInput, Input, Failure>
  package let feed: InnerSubscription

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(feed) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard feed.attach(deliverySource(of: subscription)) else { return }
    let credit = parent.didAttach(feed)
    // Some publishers treat a request for nothing as an error.
    if credit != .none { feed.request(credit) }
  }

  /// Accepts the source without receiving a subscription.
  @usableFromInline
  package func _fuse(_ source: DeliverySource) -> Credit? {
    feed.attach(source) ? parent.didAttach(feed) : Credit.none
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.isClosed { parent.accept(input, from: feed) }
    return .none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    if feed.finish() { parent.feedDidEnd(feed, completion) }
  }
}
