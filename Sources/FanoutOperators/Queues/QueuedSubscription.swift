// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.

public import FanoutCore
public import FanoutEngine

/// The base of the operators that keep values until their subscriber requests them.
///
/// It has a queue that any thread adds to, and a drain that delivers from it: each value once it is
/// requested, and the completion behind the last value.
///
/// An item is a value with whatever the operator has to know after its delivery. Subclasses are
/// final and call `deliverItems` from `runOut(isLimited:)` with the way to get the value out of an
/// item. `deliverItems` is inlined there, so that it is specialised.
@usableFromInline
package class QueuedSubscription<Item, Downstream: Subscriber>: DrainedSource, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// The waiting items and completion, guarded by a lock.
  @usableFromInline
  package struct Waiting {
    @usableFromInline package let items = Backlog<Item>()
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

  @inlinable
  init(downstream: Downstream, name: StaticString) {
    self.downstream = downstream
    self.name = name
    super.init()
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

  /// Adds an item behind all others; returns how many wait now, or nil if nothing is accepted.
  @inlinable
  @discardableResult
  final func add(_ item: Item) -> Int? {
    let count = append(item)
    if count != nil { wake() }
    return count
  }

  /// Adds an item as `add(_:)` does, but leaves its delivery to the caller.
  ///
  /// A final class that takes the drain itself calls its own `runOut(isLimited:)`, which is then
  /// specialised. `wake()` dispatches that call through the class, where it never is.
  @inlinable
  final func append(_ item: Item) -> Int? {
    waiting.withLock { waiting -> Int? in
      guard let known = waiting, !known.isClosed else { return nil }
      known.items.append(item)
      return known.items.count
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

  /// Puts the accepted completion behind all items, unless another one has replaced it.
  ///
  /// An error of `asyncMap` comes before a completion of the upstream that was accepted earlier.
  @usableFromInline
  package final func deliverEnd(_ completion: Subscribers.Completion<Downstream.Failure>) {
    waiting.withLock { if $0?.end == nil { $0?.end = completion } }
    wake()
  }

  /// Accepts the only upstream's completion: releases the upstream, and puts the completion behind
  /// all items.
  @usableFromInline
  package final func endOfUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    // A completion that arrives before any subscription is ignored. If it were accepted, the
    // subscription would be refused, and the subscriber would wait forever.
    guard stage.withBody({ $0.adopted != nil }) ?? false else { return }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    end(completion)
  }

  @usableFromInline
  package override func willCancel() {
    // Closed first, so that values that the upstream sends during its cancel are not accepted.
    waiting.withLock { $0?.isClosed = true }
    stage.cancel(for: self)
  }

  /// Delivers requested items until nothing is left to do; only `runOut(isLimited:)` calls it.
  ///
  /// An item that is not ready holds up those behind it; `isReady` runs under the lock.
  @inlinable
  @inline(__always)
  final func deliverItems(
    isLimited: Bool, when isReady: (Item) -> Bool = { _ in true },
    _ value: (Item) -> Downstream.Input,
    afterEach: (Item, Credit) -> Void
  ) {
    var turns = 0
    var isMore: Bool
    repeat {
      drain.clear([.queued, .attention])
      isMore = deliverWaiting(
        atMost: BoundedDelivery.count, when: isReady, value, afterEach: afterEach)
      if isCancelled { letGo() }
      turns &+= 1
      if isLimited, isMore || turns & (BoundedDelivery.count &- 1) == 0, handsOver() { return }
    } while isMore || !drain.tryLeave()
  }

  /// Delivers requested items up to a number, and the completion, once; the caller holds the drain.
  ///
  /// Returns whether it stopped at that number, so that more may be left to deliver.
  @inlinable
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, when isReady: (Item) -> Bool = { _ in true },
    _ value: (Item) -> Downstream.Input, afterEach: (Item, Credit) -> Void
  ) -> Bool {
    // Only the holder of the drain, which is this thread, releases the subscriber.
    guard let downstream else { return false }
    var count = 0
    while !isCancelled {
      guard count < limit else { return true }
      if credit == .none { credit = pending.take() }
      let supply = take(isAsked: credit != .none, when: isReady)
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

  @inlinable
  @inline(__always)
  final func take(isAsked: Bool, when isReady: (Item) -> Bool) -> Supply {
    waiting.withLock { waiting in
      guard let known = waiting else { return .nothing }
      if isAsked, let item = known.items.popFirst(if: isReady) { return .item(item) }
      guard known.items.count == 0, let end = known.end else { return .nothing }
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
  @usableFromInline package final var playgroundDescription: Any { description }
  @usableFromInline package final var customMirror: Mirror {
    Mirror(self, children: EmptyCollection())
  }
}

@available(*, unavailable)
extension QueuedSubscription.Waiting: Sendable {}

@available(*, unavailable)
extension QueuedSubscription.Supply: Sendable {}
