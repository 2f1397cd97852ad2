public import FanoutEngine
public import Synchronization

/// What the operators share that put the values of several publishers into one queue.
///
/// Each publisher is asked for one value at a time, and for the next when that is delivered: so not
/// more than one of each waits. If the subscriber wants everything, so is everything asked for.
@usableFromInline
class MergedSubscription<Downstream: Subscriber>: QueuedSubscription<
  (value: Downstream.Input, feed: MergedFeed), Downstream
>
{
  /// What is subscribed to, guarded by a lock.
  @usableFromInline
  struct Feeds {
    /// By number, in the order in which they came.
    @usableFromInline var active: [Int: MergedFeed] = [:]
    @usableFromInline var count = 0
    var mayMoreCome = true
    /// Whether no publisher is accepted any more: one has failed, or the subscription is cancelled.
    @usableFromInline var isClosed = false

    @usableFromInline init() {}
  }

  @usableFromInline final let feeds = Lock(Feeds())
  /// Whether everything was asked for; set under the lock of the feeds.
  @usableFromInline final let isUnlimited = AtomicValue<Bool>(false)

  @usableFromInline
  override init(downstream: Downstream, name: StaticString) {
    super.init(downstream: downstream, name: name)
  }

  /// Subscribes to one more publisher, unless nothing is wanted any more.
  @inlinable
  final func join<Source: Publisher>(_ source: Source)
  where Source.Output == Downstream.Input, Source.Failure == Downstream.Failure {
    let number = feeds.withLock { feeds in
      feeds.count += 1
      return feeds.count
    }
    let feed = MergedFeed(number: number)
    let isAccepted = feeds.withLock { feeds in
      guard !feeds.isClosed else { return false }
      feeds.active[number] = feed
      return true
    }
    if isAccepted { source.receive(subscriber: MergedSubscriber(self, feed)) }
  }

  /// Says that no more publishers come: the end of those there are is the end of all.
  @usableFromInline
  final func noMoreCome() {
    let isAll = feeds.withLock { feeds in
      feeds.mayMoreCome = false
      return feeds.active.isEmpty
    }
    if isAll { end(.finished) }
  }

  /// Called when a publisher has finished and others may come in its place.
  @usableFromInline func feedDidFinish() {}

  /// Accepts the end of one of the publishers.
  @usableFromInline
  final func feedDidEnd(
    _ feed: MergedFeed, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    if case .failure = completion { return fail(completion) }
    let (removed, isAll) = feeds.withLock { feeds in
      let removed = feeds.active.removeValue(forKey: feed.number)
      return (removed, feeds.active.isEmpty && !feeds.mayMoreCome)
    }
    guard removed != nil else { return }
    if isAll { end(.finished) } else { feedDidFinish() }
  }

  /// Cancels everything, and fails behind the values that wait.
  @usableFromInline
  final func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    stage.cancel(for: self)
    cancelFeeds()
    end(completion)
  }

  final func cancelFeeds() {
    let cancelled = feeds.withLock { feeds in
      let cancelled = feeds.active
      feeds.active = [:]
      feeds.isClosed = true
      return cancelled
    }
    for feed in cancelled.sorted(by: { $0.key < $1.key }) { feed.value.cancel() }
  }

  @usableFromInline
  override func willCancel() {
    super.willCancel()
    cancelFeeds()
  }

  /// What a publisher is asked for at the start.
  ///
  /// It has its source by then, so that either this sees that everything is wanted, or who wants
  /// everything sees that source.
  @usableFromInline
  final func creditForNewcomer() -> Credit {
    feeds.withLock { _ in isUnlimited.load(ordering: .relaxed) } ? .unlimited : Credit(rawValue: 1)
  }

  @usableFromInline
  override func request(_ credit: Credit) {
    super.request(credit)
    if credit.isUnlimited { askForEverything() }
  }

  @usableFromInline
  final func askForEverything() {
    let asked = feeds.withLock { feeds -> [Int: MergedFeed] in
      guard !isUnlimited.exchange(true, ordering: .acquiringAndReleasing) else { return [:] }
      return feeds.active
    }
    for feed in asked.sorted(by: { $0.key < $1.key }) { feed.value.stage.request(.unlimited) }
  }

  /// Delivers what waits, and asks for the next value of each publisher of which one was delivered.
  @inlinable
  final func deliverMerged() {
    deliverItems({ $0.value }) { item, _ in
      guard !isUnlimited.load(ordering: .acquiring) else { return }
      if credit.isUnlimited {
        askForEverything()
      } else {
        item.feed.stage.request(Credit(rawValue: 1))
      }
    }
  }

  @inlinable
  override func runOut() { deliverMerged() }

  package override var heldReferences: [HeldReference] {
    super.heldReferences + [.value("feeds", feeds.withLock { $0 })]
  }
}

@available(*, unavailable)
extension MergedSubscription.Feeds: Sendable {}
