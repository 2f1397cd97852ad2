// Invariant: properties marked `@exclusivity(unchecked)` are reached only under the lock of the list that
// the feed is in, or by who has taken it out.

public import FanoutEngine

/// One of several publishers whose values are put into one queue: its source, once there is one.
///
/// It does not refer to where its values go. So it may be kept there, while a publisher that has
/// forgotten its subscriber keeps nothing alive.
@usableFromInline
final class MergedFeed: Link, ReferenceListing {
  @usableFromInline let stage = ReceiverStage(UpstreamBody())
  /// The how-many-th it is, and its place among those that have not ended; guarded by their lock.
  @exclusivity(unchecked) var number = 0
  @exclusivity(unchecked) var place = 0

  @usableFromInline
  init() { super.init(isPart: true) }

  @usableFromInline
  override func cancel() { stage.cancel(for: self) }

  package var heldReferences: [HeldReference] { stage.heldReferences }
}

@available(*, unavailable)
extension MergedFeed: Sendable {}

/// What subscribes to one of several publishers, for all of which there is one queue.
@usableFromInline
final class MergedSubscriber<Downstream: Subscriber>: Subscriber, ReferenceListing {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let parent: MergedSubscription<Downstream>
  @usableFromInline let feed: MergedFeed

  @usableFromInline
  init(_ parent: MergedSubscription<Downstream>, _ feed: MergedFeed) {
    self.parent = parent
    self.feed = feed
    noteCreation(of: self)
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard feed.stage.attach(deliverySource(of: subscription), for: feed) else { return }
    feed.stage.request(parent.feeds.creditForNewcomer())
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.stage.isClosed, parent.append((input, feed)) != nil,
      parent.drain.announce(.queued)
    {
      parent.deliverMerged()
    }
    return .none
  }

  /// Takes the source without being told of a subscription.
  @inlinable
  func _adopt(_ source: DeliverySource) -> Credit? {
    feed.stage.attach(source, for: feed) ? parent.feeds.creditForNewcomer() : Credit.none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard feed.stage.finish(for: feed, taking: { _ in true }) ?? false else { return }
    parent.feedDidEnd(feed, completion)
  }

  package var heldReferences: [HeldReference] {
    [.value("parent", parent), .value("feed", feed)]
  }
}

@available(*, unavailable)
extension MergedSubscriber: Sendable {}
