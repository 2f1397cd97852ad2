// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.
// Unmanaged reference: invariant: `waiting` retains its queue; that is taken out of it under its lock only, and so not
// while `append(_:whenAdded:)` uses the queue.

public import FanoutCore
public import FanoutEngine

/// The base of the operators that keep values until their subscriber requests them.
///
/// It has a queue that any thread adds to, and a drain that delivers from it: each value once it is
/// requested, and the completion behind the last value.
///
/// An item is a value with whatever the operator has to know after its delivery. A subclass calls
/// `deliverItems` or `deliverWaiting` with the closure that gets the value out of an item. They are
/// inlined there, so that they are specialised.
@usableFromInline
package class QueuedSubscription<Item, Downstream: Subscriber>: DrainedSource,
  DescribedSubscription
{
  /// The waiting items and completion, guarded by a lock.
  @usableFromInline
  package struct Waiting {
    @usableFromInline package let items = ValueQueue<Item>()
    @usableFromInline package var end: Subscribers.Completion<Downstream.Failure>?
    /// Whether nothing is accepted any more: a completion has been accepted, or the subscription is
    /// cancelled.
    @usableFromInline package var isClosed = false

    @inlinable init() {}
  }

  /// The next thing to deliver.
  @usableFromInline
  package enum Supply {
    case item(Item)
    case end(Subscribers.Completion<Downstream.Failure>)
    case nothing
  }

  @usableFromInline package final let waiting = Lock<Waiting?>(Waiting())
  /// The upstream, for an operator that has exactly one.
  @usableFromInline package final let stage = ReceiverStage(UpstreamBody())
  @usableFromInline package final let name: StaticString
  @exclusivity(unchecked) @usableFromInline package final var downstream: Downstream?
  @exclusivity(unchecked) @usableFromInline package final var credit = Credit.none

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - runOut: The closure that calls `runOut(isLimited:)`; see `DrainedSource`.
  @inlinable
  init(
    downstream: Downstream, name: StaticString,
    runOut: @escaping (DrainedSource, _ isLimited: Bool) -> Void = { $0.runOut(isLimited: $1) }
  ) {
    self.downstream = downstream
    self.name = name
    super.init(runOut: runOut)
  }

  /// Accepts the only upstream's subscription, then gives the subscriber this one.
  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    didAttach()
    begin()
  }

  /// Runs when the upstream has been accepted, before the subscriber receives its subscription.
  @usableFromInline package func didAttach() {}

  /// Gives the subscriber its subscription and lets deliveries start.
  ///
  /// It is called once; nothing is delivered before.
  @usableFromInline
  package final func begin() {
    if let downstream {
      if let credit = downstream._fuse(self) {
        request(credit)
      } else {
        downstream.receive(subscription: self)
      }
    }
    runOut(isLimited: true)
  }

  /// Adds an item behind all others, unless nothing is accepted any more.
  @inlinable
  final func add(_ item: Item) {
    if append(item, whenAdded: {}) { wake() }
  }

  /// Adds an item, runs `whenAdded` under the lock, and leaves the delivery to the caller; returns false if
  /// nothing is accepted any more.
  @inlinable
  @inline(__always)
  final func append(_ item: Item, whenAdded: () -> Void) -> Bool {
    waiting.withLock { waiting in
      // A copy of `waiting` would retain the queue for each item.
      guard waiting?.isClosed == false,
        let items = waiting.map({ Unmanaged.passUnretained($0.items) })
      else { return false }
      items._withUnsafeGuaranteedRef { $0.append(item) }
      whenAdded()
      return true
    }
  }

  /// Puts the completion behind all items; only the first counts, and nothing is accepted after it.
  @usableFromInline
  package final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if close() { deliverEnd(completion) }
  }

  /// Accepts a completion if it is the first; returns whether it is, so that the caller calls
  /// `deliverEnd(_:)`.
  ///
  /// Between the two calls the caller stops the sources of items. Until then they may bring other
  /// completions: this method decides which one counts, before any user code runs.
  @usableFromInline
  package final func close() -> Bool {
    waiting.withLock { waiting -> Bool in
      guard let known = waiting, !known.isClosed else { return false }
      waiting?.isClosed = true
      return true
    }
  }

  /// Puts the completion that `close()` accepted behind all items.
  @usableFromInline
  package final func deliverEnd(_ completion: Subscribers.Completion<Downstream.Failure>) {
    waiting.withLock { $0?.end = completion }
    wake()
  }

  /// Accepts the only upstream's completion: releases the upstream, and puts the completion behind
  /// all items.
  @usableFromInline
  package final func endOfUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if closeAtEndOfUpstream() { deliverEnd(completion) }
  }

  /// Releases the upstream at its completion; returns whether that counts, so that the caller calls
  /// `deliverEnd(_:)`.
  ///
  /// If the upstream ends before it has sent its subscription, the subscriber receives this one first.
  @usableFromInline
  package final func closeAtEndOfUpstream() -> Bool {
    if stage.noteEarlyEnd() { begin() }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return false }
    return close()
  }

  @usableFromInline
  package override func willCancel() {
    // Closed first, so that values that the upstream sends during its cancel are not accepted.
    waiting.withLock { $0?.isClosed = true }
    stage.cancel(for: self)
  }

  /// Delivers requested items until nothing is left to do; the caller holds the drain.
  ///
  /// `whenTaken` runs under the lock for each item that is taken out.
  @inlinable
  @inline(__always)
  final func deliverItems(
    isLimited: Bool, whenTaken: (Waiting) -> Void = { _ in },
    _ value: (Item) -> Downstream.Input,
    afterEach: (Item, Credit) -> Void
  ) {
    var turns = 0
    var isMore: Bool
    repeat {
      drain.clear([.queued, .attention])
      isMore = deliverWaiting(
        atMost: BoundedDelivery.count, whenTaken: whenTaken, value, afterEach: afterEach)
      if isCancelled { letGo() }
      turns &+= 1
      if isLimited, isMore || turns & (BoundedDelivery.count &- 1) == 0, handsOver() { return }
    } while isMore || !drain.tryLeave()
  }

  /// Delivers requested items up to a number, and the completion, once; the caller holds the drain.
  ///
  /// Items are taken out one by one. Where several wait, `takesAll` may take them all, under the lock; then
  /// `next` returns them. Returns whether it stopped at the number, so that more may be left to deliver.
  @inlinable
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, next: () -> Item? = { nil }, takesAll: (Waiting) -> Bool = { _ in false },
    whenTaken: (Waiting) -> Void = { _ in },
    _ value: (Item) -> Downstream.Input, afterEach: (Item, Credit) -> Void
  ) -> Bool {
    // Only the holder of the drain, which is this thread, releases the subscriber.
    guard let downstream else { return false }
    var count = 0
    while !isCancelled {
      guard count < limit else { return true }
      if credit == .none { credit = pending.take() }
      let supply = take(next: next, takesAll: takesAll, whenTaken: whenTaken)
      guard case .item(let item) = supply else {
        if case .end(let end) = supply { finish(end, downstream) }
        return false
      }
      let more = downstream._receiveFused(value(item)).credit
      credit = credit.afterOne + more
      afterEach(item, more)
      count &+= 1
    }
    return false
  }

  /// Takes the next requested item, or the completion behind the last one; the caller holds the drain.
  @inlinable
  @inline(__always)
  final func take(
    next: () -> Item?, takesAll: (Waiting) -> Bool, whenTaken: (Waiting) -> Void
  ) -> Supply {
    if let item = next() { return .item(item) }
    return waiting.withLock { waiting in
      guard let known = waiting else { return .nothing }
      let count = known.items.count
      if count > 1, takesAll(known), let item = next() { return .item(item) }
      if credit != .none, let item = known.items.popFirst() {
        whenTaken(known)
        return .item(item)
      }
      guard count == 0, let end = known.end else { return .nothing }
      return .end(end)
    }
  }

  @usableFromInline
  package final func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, _ downstream: Downstream
  ) {
    letGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled { downstream.receive(completion: end) }
  }

  /// Releases the subscriber and everything that waits.
  @usableFromInline
  package func letGo() {
    downstream = nil
    withExtendedLifetime(waiting.take()) {}
    didLetGo()
  }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline package final var description: String { "\(name)" }
}

@available(*, unavailable)
extension QueuedSubscription.Waiting: Sendable {}

@available(*, unavailable)
extension QueuedSubscription.Supply: Sendable {}
