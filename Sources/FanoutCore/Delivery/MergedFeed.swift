public import FanoutEngine

/// One of several publishers whose values are put into one queue: its source, once there is one.
///
/// It does not refer to where its values go. So it may be kept there, while a publisher that has
/// forgotten its subscriber keeps nothing alive.
@usableFromInline
final class MergedFeed: Link, ReferenceListing {
  @usableFromInline let stage = ReceiverStage(UpstreamBody())
  /// Its place among the others.
  @usableFromInline let number: Int

  @usableFromInline
  init(number: Int) {
    self.number = number
    super.init(isPart: true)
  }

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
    feed.stage.request(parent.creditForNewcomer())
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

  @usableFromInline
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
