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
/// A value with nothing in front of it need not pass the queue: see `deliverAtOnce`. The drain knows whether the queue
/// is clear: its holder leaves it blocked if, at the last look, something waited or the queue was closed. A thread that
/// adds an item, or closes the queue, sets a note before it returns, and then the holder looks once more. So the next
/// value of the same publisher never overtakes that item.
///
/// An item is a value with whatever the operator has to know after its delivery. A subclass calls
/// `deliverItems` or `deliverWaiting` with the closure that gets the value out of an item. They are
/// inlined there, so that they are specialised.
@usableFromInline
package class QueuedSubscription<Item, Downstream: Subscriber>: DrainedSource, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
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
  /// Whether the queue was not clear at the last look.
  @exclusivity(unchecked) @usableFromInline final var isBlocked = false

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

  /// Delivers a value at once if nothing is in front of it and it is requested, and calls `enqueue` otherwise.
  ///
  /// If no thread delivers and the queue is clear, the value needs no place in the queue, and no lock. A value that
  /// another publisher brings meanwhile may come behind it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - mayPass: The closure that returns whether the value may be delivered by the caller, which holds the drain.
  ///   - afterwards: The closure that runs behind the delivery; the caller still holds the drain.
  ///   - enqueue: The closure that adds the value to the queue. It is not inlined: what it retains would be retained
  ///     for the values that are delivered at once, too.
  @inlinable
  @inline(__always)
  final func deliverAtOnce(
    _ value: Downstream.Input, if mayPass: () -> Bool = { true }, afterwards: () -> Void = {},
    orEnqueue enqueue: () -> Void
  ) {
    guard drain.isIdle, drain.tryEnter() else { return enqueue() }
    if credit == .none { credit = pending.take() }
    if credit != .none, !isCancelled, mayPass(), pass(value) != nil {
      afterwards()
      if drain.tryLeave() { return }
    } else {
      enqueue()
    }
    runsOut(self, false)
  }

  /// Delivers a value, and returns what the subscriber requests with it, or nil if everything is released.
  ///
  /// The caller holds the drain. The subscriber is taken out meanwhile, so that nothing is retained: only the holder
  /// of the drain looks for it.
  @inlinable
  @inline(__always)
  final func pass(_ value: Downstream.Input) -> Credit? {
    guard let receiver = downstream.take() else { return nil }
    let more = receiver._receiveFused(value).credit
    downstream = consume receiver
    credit = credit.afterOne + more
    return more
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
    let isFirst = waiting.withLock { waiting -> Bool in
      guard let known = waiting, !known.isClosed else { return false }
      waiting?.isClosed = true
      return true
    }
    drain.note(.blocked)
    return isFirst
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
    _ = close()
    stage.cancel(for: self)
  }

  /// Delivers requested items until nothing is left to do; the caller holds the drain.
  @inlinable
  @inline(__always)
  final func deliverItems(
    isLimited: Bool, _ value: (Item) -> Downstream.Input, afterEach: (Item, Credit) -> Void
  ) {
    runTurns(isLimited: isLimited, isBlocked: { isBlocked }) {
      deliverWaiting(atMost: BoundedDelivery.count, value, afterEach: afterEach)
    }
  }

  /// Delivers requested items up to a number, and the completion, once; the caller holds the drain.
  ///
  /// Items are taken out one by one, unless `mayWait` knows that none waits. Where several wait, `takesAll` may take
  /// them all, under the lock; then `next` returns them. `whenTaken` runs under the lock for each item that is taken
  /// out. Returns whether it stopped at the number, so that more may be left to deliver.
  @inlinable
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, next: () -> Item? = { nil }, mayWait: () -> Bool = { true },
    takesAll: (Waiting) -> Bool = { _ in false }, whenTaken: (Waiting) -> Void = { _ in },
    _ value: (Item) -> Downstream.Input, afterEach: (Item, Credit) -> Void
  ) -> Bool {
    var count = 0
    while !isCancelled, downstream != nil {
      guard count < limit else { return true }
      if credit == .none { credit = pending.take() }
      let supply = take(next: next, mayWait: mayWait, takesAll: takesAll, whenTaken: whenTaken)
      guard case .item(let item) = supply else {
        if case .end(let end) = supply { finish(end) }
        return false
      }
      guard let more = pass(value(item)) else { return false }
      afterEach(item, more)
      count &+= 1
    }
    return false
  }

  /// Takes the next requested item, or the completion behind the last one; the caller holds the drain.
  @inlinable
  @inline(__always)
  final func take(
    next: () -> Item?, mayWait: () -> Bool, takesAll: (Waiting) -> Bool,
    whenTaken: (Waiting) -> Void
  ) -> Supply {
    if let item = next() { return .item(item) }
    guard mayWait() else { return .nothing }
    return waiting.withLock { waiting in
      guard let known = waiting else { return .nothing }
      let count = known.items.count
      if count > 1, takesAll(known), let item = next() { return .item(item) }
      if credit != .none, let item = known.items.popFirst() {
        whenTaken(known)
        return .item(item)
      }
      isBlocked = count > 0 || known.isClosed
      guard count == 0, let end = known.end else { return .nothing }
      return .end(end)
    }
  }

  /// Releases everything, and delivers the completion; the caller holds the drain.
  @usableFromInline
  package final func finish(_ end: Subscribers.Completion<Downstream.Failure>) {
    let receiver = downstream
    letGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled { receiver?.receive(completion: end) }
  }

  /// Releases the subscriber and everything that waits.
  @usableFromInline
  package override func letGo() {
    (downstream, isBlocked) = (nil, true)
    withExtendedLifetime(waiting.take()) {}
    didLetGo()
  }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline package final var description: String { "\(name)" }
  @usableFromInline package final var playgroundDescription: Any { description }
  @usableFromInline package final var customMirror: Mirror {
    Mirror(self, children: EmptyCollection())
  }
}

@available(*, unavailable)
extension QueuedSubscription.Waiting: Sendable {}

@available(*, unavailable)
extension QueuedSubscription.Supply: Sendable {}
