public import FanoutCore
public import FanoutEngine

/// The subscriber to one of several publishers whose values share one queue.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores it.
@usableFromInline
package struct MergedSubscriber<ParentInput, Input, Failure: Error>: Subscriber {
  package let parent: MergedSubscription<ParentInput, Input, Failure>
  package let feed: InnerSubscription

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(feed) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard feed.attach(deliverySource(of: subscription)) else { return }
    feed.request(parent.feeds.creditForNewcomer())
  }

  @usableFromInline
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.isClosed { parent.accept(input, from: feed) }
    return .none
  }

  /// Accepts the source without receiving a subscription.
  @usableFromInline
  package func _fuse(_ source: DeliverySource) -> Credit? {
    feed.attach(source) ? parent.feeds.creditForNewcomer() : Credit.none
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    if feed.finish() { parent.feedDidEnd(feed, completion) }
  }
}

@available(*, unavailable)
extension MergedSubscriber: Sendable {}
