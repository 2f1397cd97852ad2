// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of the
// list that this is in, or by the thread that has taken it out.

public import FanoutCore
public import FanoutEngine

/// The subscription to one of several publishers whose values share one queue: its source, once
/// there is one.
///
/// It does not refer to the queue. So the queue may retain it, and a publisher that has lost its
/// subscriber keeps nothing alive.
@usableFromInline
package final class InnerSubscription: ChainNode {
  @usableFromInline package let stage = ReceiverStage(UpstreamBody())
  /// Its ordinal number, and its index among those that have not ended; guarded by their lock.
  @exclusivity(unchecked) var number = 0
  @exclusivity(unchecked) var place = 0

  @usableFromInline
  package init() { super.init(isPart: true) }

  @usableFromInline
  package override func cancel() { stage.cancel(for: self) }
}

@available(*, unavailable)
extension InnerSubscription: Sendable {}

/// The subscriber to one of several publishers whose values share one queue.
@usableFromInline
package final class MergedSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline package let parent: MergedSubscription<Downstream>
  @usableFromInline package let feed: InnerSubscription

  @usableFromInline
  package init(_ parent: MergedSubscription<Downstream>, _ feed: InnerSubscription) {
    self.parent = parent
    self.feed = feed
    noteCreation(of: self)
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard feed.stage.attach(deliverySource(of: subscription), for: feed) else { return }
    feed.stage.request(parent.feeds.creditForNewcomer())
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.stage.isClosed, parent.append((input, feed)) != nil,
      parent.drain.announce(.queued)
    {
      parent.deliverMerged(isLimited: false)
    }
    return .none
  }

  /// Accepts the source without receiving a subscription.
  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    feed.stage.attach(source, for: feed) ? parent.feeds.creditForNewcomer() : Credit.none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard feed.stage.finish(for: feed, taking: { _ in true }) ?? false else { return }
    parent.feedDidEnd(feed, completion)
  }
}

@available(*, unavailable)
extension MergedSubscriber: Sendable {}
