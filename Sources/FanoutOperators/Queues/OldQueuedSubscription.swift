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
@_fixed_layout
@usableFromInline
package class OldQueuedSubscription<Item, Downstream: Subscriber>: DrainedSource,
  DescribedSubscription
{
  /// The waiting items and completion, guarded by a lock.
  @frozen @usableFromInline
  package struct Waiting {
    @usableFromInline package let items = ValueQueue<Item>()
    @usableFromInline package var end: Subscribers.Completion<Downstream.Failure>?
    /// Whether nothing is accepted any more: a completion has been accepted, or the subscription is
    /// cancelled.
    @usableFromInline package var isClosed = false

    @inlinable init() {}
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
  package func didAttach() {}

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
    runsOut(self, true)
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
  package final func endOfUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if closeAtEndOfUpstream() { deliverEnd(completion) }
  }

  /// Releases the upstream at its completion; returns whether that counts, so that the caller calls
  /// `deliverEnd(_:)`.
  ///
  /// If the upstream ends before it has sent its subscription, the subscriber receives this one first.
  package final func closeAtEndOfUpstream() -> Bool {
    if stage.noteEarlyEnd() { begin() }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return false }
    return close()
  }

  package override func willCancel() {
    // Closed first, so that values that the upstream sends during its cancel are not accepted.
    _ = close()
    stage.cancel(for: self)
  }

  /// Releases the subscriber and everything that waits.
  package override func letGo() {
    (downstream, isBlocked) = (nil, true)
    withExtendedLifetime(waiting.take()) {}
    didLetGo()
  }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  @usableFromInline package final var description: String { "\(name)" }
}

@available(*, unavailable)
extension OldQueuedSubscription.Waiting: Sendable {}
