// Invariant: `feedsOfItems` is reached under the lock of `state`, and `taken` by the holder of
// `drain`.

package import FanoutCore
package import FanoutEngine

/// The base of the operators that put the values of several publishers into one queue.
///
/// Each publisher is asked for one value at a time, and for the next one when that value is
/// delivered: so at most one value of each waits. If the subscriber requests everything, so does
/// the operator.
package class MergedSubscription<Input, Output, Failure: Error>: JoiningSubscription<
  Input, Output, Failure
>
{
  /// The subscriptions to the publishers.
  package final let feeds = InnerSubscriptions()
  /// The subscription that has brought each waiting value, in their order; nil if that is over with
  /// the value.
  @exclusivity(unchecked) package private(set) final var feedsOfItems: [InnerSubscription?] = []
  @exclusivity(unchecked) private final var takenCount = 0
  /// The subscription that has brought the value in delivery.
  @exclusivity(unchecked) private final var taken: InnerSubscription?

  final override func makeSubscriber() -> JoinedSubscriber<Input, Output, Failure>? {
    feeds.add().map { JoinedSubscriber(parent: self, feed: $0) }
  }

  final override func noMoreCome() {
    if feeds.noMoreCome() == .allHaveFinished { end(.finished) }
  }

  /// Runs when a publisher has finished and others may be added in its place.
  package func feedDidFinish() {}

  final override func didAttach(_ feed: InnerSubscription) -> Credit {
    feeds.creditForNewcomer(feed)
  }

  final override func feedDidEnd(
    _ feed: InnerSubscription, _ completion: Subscribers.Completion<Failure>
  ) {
    if case .failure = completion { return fail(completion) }
    switch feeds.remove(feed) {
    case .allHaveFinished: end(.finished)
    case .othersMayCome: feedDidFinish()
    case .isOver: return
    }
  }

  /// Cancels everything, and fails behind the waiting values, unless the end was decided before.
  package final func fail(_ completion: Subscribers.Completion<Failure>) {
    guard let others = feeds.close() else { return }
    let isAccepted = close()
    cancel(others)
    if isAccepted { deliverEnd(completion) }
  }

  package override func willCancel() {
    let others = feeds.close() ?? []
    // Closed first, so that values that one publisher sends during another's cancel are not
    // accepted.
    _ = close()
    cancel(others)
  }

  /// Cancels the upstream, if there is one, and then the specified publishers in their order.
  final func cancel(_ feeds: [InnerSubscription]) {
    stage.cancel(for: self)
    for feed in feeds { feed.cancel() }
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    if credit.isUnlimited { feeds.askForEverything() }
  }

  /// Leaves the upstream alone, of which this operator takes as many publishers as it may.
  package final override func disallowDrops() -> Bool {
    feeds.disallowDrops()
    return false
  }

  final override func accept(_ value: Output, from feed: InnerSubscription) {
    deliver(value, from: feed)
  }

  /// Delivers a value, or adds it to those that wait.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - feed: The subscription to its publisher; nil if that is over with this value.
  @inline(__always)
  final func deliver(_ value: Output, from feed: InnerSubscription?) {
    deliverAtOnce(
      value, afterwards: { didDeliver(from: feed) }, orEnqueue: { enqueue(value, from: feed) })
  }

  @inline(never)
  private final func enqueue(_ value: Output, from feed: InnerSubscription?) {
    if append(value, whenAdded: { feedsOfItems.append(feed) }) { wake() }
  }

  /// Requests the next value of a publisher whose value is delivered.
  @inline(__always)
  private final func didDeliver(from feed: InnerSubscription?) {
    guard !feeds.isUnlimited else { return }
    if credit.isUnlimited {
      feeds.askForEverything()
    } else {
      feed?.request(Credit(rawValue: 1))
    }
  }

  /// Delivers waiting values, and requests the next value from each publisher whose value it has
  /// delivered.
  package override func runOut(isLimited: Bool) {
    deliverItems(isLimited: isLimited, whenTaken: { _ in takeFeed() }) { _ in
      didDeliver(from: taken.take())
    }
  }

  /// Takes the subscription out that has brought the value that is taken out.
  private final func takeFeed() {
    taken = feedsOfItems[takenCount].take()
    takenCount += 1
    guard takenCount == feedsOfItems.count else { return }
    feedsOfItems.removeAll(keepingCapacity: takenCount <= 64)
    takenCount = 0
  }

  package override func letGo() {
    super.letGo()
    taken = nil
    let feeds = state.withLock { _ in
      defer { feedsOfItems = [] }
      return feedsOfItems
    }
    withExtendedLifetime(feeds) {}
  }
}
