public import FanoutCore
public import FanoutEngine

/// The base of the operators that put the values of several publishers into one queue.
///
/// Each publisher is asked for one value at a time, and for the next one when that value is
/// delivered: so at most one value of each waits. If the subscriber requests everything, so does
/// the operator.
@_fixed_layout
@usableFromInline
package class MergedSubscription<Downstream: Subscriber>: QueuedSubscription<
  (value: Downstream.Input, feed: InnerSubscription?), Downstream
>
{
  /// The subscriptions to the publishers.
  @usableFromInline package final let feeds = InnerSubscriptions()

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
  @usableFromInline
  package func feedDidFinish() {}

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
    let isAccepted = close()
    cancel(others)
    if isAccepted { deliverEnd(completion) }
  }

  package override func willCancel() {
    let others = feeds.close() ?? []
    // Closed first, so that values that one publisher sends during another's cancel are not accepted.
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

  /// Accepts a value of one of the publishers.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - feed: The subscription to the publisher; nil if that is over with this value.
  @inlinable
  @inline(__always)
  final func accept(_ value: Downstream.Input, from feed: InnerSubscription?) {
    deliverAtOnce(
      value, afterwards: { didDeliver(from: feed) }, orEnqueue: { enqueue(value, from: feed) })
  }

  @inlinable
  @inline(never)
  final func enqueue(_ value: Downstream.Input, from feed: InnerSubscription?) {
    add((value, feed))
  }

  /// Requests the next value of a publisher whose value is delivered.
  @inlinable
  @inline(__always)
  final func didDeliver(from feed: InnerSubscription?) {
    guard !feeds.isUnlimited else { return }
    if credit.isUnlimited {
      feeds.askForEverything()
    } else {
      feed?.request(Credit(rawValue: 1))
    }
  }

  /// Delivers waiting values, and requests the next value from each publisher whose value it has
  /// delivered.
  @inlinable
  final func deliverMerged(isLimited: Bool) {
    deliverItems(
      isLimited: isLimited, { $0.value }, afterEach: { item, _ in didDeliver(from: item.feed) })
  }
}
