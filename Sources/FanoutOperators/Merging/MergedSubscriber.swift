public import FanoutCore
public import FanoutEngine

/// The subscriber to one of several publishers whose values share one queue.
///
/// It is a structure, so that it takes no object of its own where a publisher's subscription stores it.
@frozen @usableFromInline
package struct MergedSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline package let parent: MergedSubscription<Downstream>
  @usableFromInline package let feed: InnerSubscription

  @inlinable
  init(_ parent: MergedSubscription<Downstream>, _ feed: InnerSubscription) {
    self.parent = parent
    self.feed = feed
  }

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(feed) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard feed.attach(deliverySource(of: subscription)) else { return }
    feed.request(parent.feeds.creditForNewcomer())
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.isClosed { parent.accept(input, from: feed) }
    return .none
  }

  /// Accepts the source without receiving a subscription.
  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    feed.attach(source) ? parent.feeds.creditForNewcomer() : Credit.none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if feed.finish() { parent.feedDidEnd(feed, completion) }
  }
}

@available(*, unavailable)
extension MergedSubscriber: Sendable {}
