public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The base of the operators that put the values of several publishers into one queue.
///
/// Each publisher is asked for one value at a time, and for the next one when that value is
/// delivered: so at most one value of each waits. If the subscriber requests everything, so does
/// the operator.
@usableFromInline
package class MergedSubscription<Downstream: Subscriber>: QueuedSubscription<
  (value: Downstream.Input, feed: InnerSubscription), Downstream
>
{
  /// The subscriptions to the publishers.
  @usableFromInline package final let feeds = InnerSubscriptions()
  /// Whether nothing waits.
  ///
  /// It changes under the lock of `waiting`. A failure and a cancel set it to false for good, without the lock,
  /// when they have closed the queue. A finish need not: no publisher is left then.
  ///
  /// The holder of the drain relies on it. A thread that queues a value sets it to false before it returns to
  /// the value's publisher, so the next value of that publisher goes into the queue behind it.
  @usableFromInline package final let isClear = AtomicValue<Bool>(true)

  @inlinable
  init(downstream: Downstream, name: StaticString) {
    super.init(downstream: downstream, name: name) {
      unsafeDowncast($0, to: MergedSubscription.self).deliverMerged(isLimited: $1)
    }
  }

  /// Subscribes to one more publisher, unless the end was decided before.
  @inlinable
  final func join<Source: Publisher>(_ source: Source)
  where Source.Output == Downstream.Input, Source.Failure == Downstream.Failure {
    if let feed = feeds.add() { source.receive(subscriber: MergedSubscriber(self, feed)) }
  }

  /// Notes that no more publishers will be added: when the present ones have finished, everything
  /// has.
  @usableFromInline
  package final func noMoreCome() {
    if feeds.noMoreCome() == .allHaveFinished { end(.finished) }
  }

  /// Runs when a publisher has finished and others may be added in its place.
  @usableFromInline package func feedDidFinish() {}

  /// Accepts the completion of one of the publishers.
  @inlinable
  final func feedDidEnd(
    _ feed: InnerSubscription, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    if case .failure = completion { return fail(completion) }
    switch feeds.remove(feed) {
    case .allHaveFinished: end(.finished)
    case .othersMayCome: feedDidFinish()
    case .isOver: return
    }
  }

  /// Cancels everything, and fails behind the waiting values, unless the end was decided before.
  @usableFromInline
  package final func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard let others = feeds.close() else { return }
    let isAccepted = closeQueue()
    cancel(others)
    if isAccepted { deliverEnd(completion) }
  }

  @usableFromInline
  package override func willCancel() {
    let others = feeds.close() ?? []
    // Closed first, so that values that one publisher sends during another's cancel are not accepted.
    _ = closeQueue()
    cancel(others)
  }

  private func closeQueue() -> Bool {
    let isFirst = close()
    // Not under the lock: nothing sets it to true once the queue is closed.
    isClear.store(false, ordering: .releasing)
    return isFirst
  }

  /// Cancels the upstream, if there is one, and then the specified publishers in their order.
  final func cancel(_ feeds: [InnerSubscription]) {
    stage.cancel(for: self)
    for feed in feeds { feed.cancel() }
  }

  @usableFromInline
  package override func request(_ credit: Credit) {
    super.request(credit)
    if credit.isUnlimited { feeds.askForEverything() }
  }

  /// Accepts a value of one of the publishers, and delivers it at once if nothing is in front of it.
  ///
  /// If no thread delivers and nothing waits, the value needs no place in the queue, and no lock. A value
  /// that another publisher brings meanwhile may come behind it.
  @inlinable
  @inline(__always)
  final func accept(_ value: Downstream.Input, from feed: InnerSubscription) {
    guard isClear.load(ordering: .acquiring), drain.tryEnter() else {
      return enqueue(value, from: feed)
    }
    if !deliverAtOnce(value, from: feed) {
      enqueue(value, from: feed)
      deliverMerged(isLimited: false)
    } else if !drain.tryLeave() {
      deliverMerged(isLimited: false)
    }
  }

  // Not inlined: what it retains would be retained for the values that are delivered at once, too.
  @inlinable
  @inline(never)
  final func enqueue(_ value: Downstream.Input, from feed: InnerSubscription) {
    let isAccepted = append((value, feed)) { isClear.store(false, ordering: .releasing) }
    if isAccepted, drain.announce(.queued) { deliverMerged(isLimited: false) }
  }

  /// Delivers a value if nothing waits and the subscriber has requested it; the caller holds the drain.
  @inlinable
  @inline(__always)
  final func deliverAtOnce(_ value: Downstream.Input, from feed: InnerSubscription) -> Bool {
    if credit == .none { credit = pending.take() }
    guard credit != .none, isClear.load(ordering: .acquiring), !isCancelled,
      // Taken out meanwhile, so that nothing is retained: only the holder of the drain looks for it.
      let receiver = downstream.take()
    else { return false }
    let more = receiver._receiveFused(value).credit
    downstream = consume receiver
    credit = credit.afterOne + more
    didDeliver(from: feed)
    return true
  }

  /// Requests the next value of a publisher whose value is delivered.
  @inlinable
  @inline(__always)
  final func didDeliver(from feed: InnerSubscription) {
    guard !feeds.isUnlimited else { return }
    if credit.isUnlimited {
      feeds.askForEverything()
    } else {
      feed.request(Credit(rawValue: 1))
    }
  }

  /// Delivers waiting values, and requests the next value from each publisher whose value it has
  /// delivered.
  @inlinable
  final func deliverMerged(isLimited: Bool) {
    deliverItems(
      isLimited: isLimited,
      whenTaken: { waiting in
        if waiting.items.count == 0, !waiting.isClosed { isClear.store(true, ordering: .releasing) }
      },
      { $0.value }, afterEach: { item, _ in didDeliver(from: item.feed) })
  }

  @inlinable
  package override func runOut(isLimited: Bool) { deliverMerged(isLimited: isLimited) }
}
