public import FanoutEngine

/// What the operators share that put the values of several publishers into one queue.
///
/// Each publisher is asked for one value at a time, and for the next when that is delivered: so not
/// more than one of each waits. If the subscriber wants everything, so is everything asked for.
@usableFromInline
class MergedSubscription<Downstream: Subscriber>: QueuedSubscription<
  (value: Downstream.Input, feed: MergedFeed), Downstream
>
{
  /// What is subscribed to.
  @usableFromInline final let feeds = MergedFeeds()

  @usableFromInline
  override init(downstream: Downstream, name: StaticString) {
    super.init(downstream: downstream, name: name)
  }

  /// Subscribes to one more publisher, unless nothing is wanted any more.
  @inlinable
  final func join<Source: Publisher>(_ source: Source)
  where Source.Output == Downstream.Input, Source.Failure == Downstream.Failure {
    if let feed = feeds.add() { source.receive(subscriber: MergedSubscriber(self, feed)) }
  }

  /// Says that no more publishers come: the end of those there are is the end of all.
  @usableFromInline
  final func noMoreCome() {
    if feeds.noMoreCome() { end(.finished) }
  }

  /// Called when a publisher has finished and others may come in its place.
  @usableFromInline func feedDidFinish() {}

  /// Accepts the end of one of the publishers.
  @inlinable
  final func feedDidEnd(
    _ feed: MergedFeed, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    if case .failure = completion { return fail(completion) }
    guard let isAll = feeds.remove(feed) else { return }
    if isAll { end(.finished) } else { feedDidFinish() }
  }

  /// Cancels everything, and fails behind the values that wait.
  @usableFromInline
  final func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    stage.cancel(for: self)
    feeds.cancelAll()
    end(completion)
  }

  @usableFromInline
  override func willCancel() {
    super.willCancel()
    feeds.cancelAll()
  }

  @usableFromInline
  override func request(_ credit: Credit) {
    super.request(credit)
    if credit.isUnlimited { feeds.askForEverything() }
  }

  /// Delivers what waits, and asks for the next value of each publisher of which one was delivered.
  @inlinable
  final func deliverMerged() {
    deliverItems({ $0.value }) { item, _ in
      guard !feeds.isUnlimited else { return }
      if credit.isUnlimited {
        feeds.askForEverything()
      } else {
        item.feed.stage.request(Credit(rawValue: 1))
      }
    }
  }

  @inlinable
  override func runOut() { deliverMerged() }

  package override var heldReferences: [HeldReference] {
    super.heldReferences + [.value("feeds", feeds.state.withLock { $0 })]
  }
}
