// Invariant: only the holder of `drain` reaches `receiver`, `credit` and `isBlocked`, and `items`
// and `end` are reached under the lock of `state` only.

package import FanoutCore
package import FanoutEngine

/// The state of a queue, whatever its items are.
///
/// Nested in a generic type it would be generic too.
package struct QueueState: Sendable {
  /// Whether nothing is accepted any more: a completion has been accepted, or the subscription is
  /// cancelled.
  package var isClosed = false
  /// Whether the completion that was accepted waits behind the items.
  package var hasEnd = false
  /// Whether everything is released.
  package var isReleased = false
}

/// The base of the operators that keep values until their subscriber requests them.
///
/// It has a queue that any thread adds to, and a drain that delivers from it: each value once it is
/// requested, and the completion behind the last value.
///
/// A value with nothing in front of it need not pass the queue: see `deliverAtOnce`. The drain
/// knows whether the queue is clear: its holder leaves it blocked if, at the last look, something
/// waited or the queue was closed. A thread that adds an item, or closes the queue, sets a note
/// before it returns, and then the holder looks once more. So the next value of the same publisher
/// never overtakes that item.
///
/// It is compiled once, in the library. So no value is made, stored or returned here whose type is
/// made of the value's, such as an optional: each would be looked up at run time. Values are moved
/// from one place in memory to another, and what the lock guards is not generic.
@usableFromInline
package class QueuedSubscription<Input, Item, Output, Failure: Error>: SubscribedSource<
  Input, Failure
>
{
  package final let state = Lock(QueueState())
  /// The items that wait.
  @exclusivity(unchecked) package final var items = LateQueue<Item>()
  /// The subscriber, until everything is released.
  @exclusivity(unchecked) package final var receiver: AnyObject?
  final let calls: ErasedSubscriber<Output, Failure>.Calls
  @exclusivity(unchecked) package final var credit = Credit.none
  @exclusivity(unchecked) package final var end: Subscribers.Completion<Failure>?
  /// Whether the queue was not clear at the last look.
  @exclusivity(unchecked) final var isBlocked = false

  /// Creates a subscription without an upstream.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The name of the operator.
  ///   - body: The body of the stage, which is released when the upstream has ended or everything
  ///     is released.
  init(
    downstream: ErasedSubscriber<Output, Failure>, name: StaticString,
    body: ReceiverBody = ReceiverBody()
  ) {
    receiver = downstream.receiver
    calls = downstream.calls
    super.init(name: name, body: body)
  }

  deinit { items.free() }

  package final override func begin() {
    if let receiver, let credit = calls.ends.begin(receiver, self, mayFuse: true) {
      request(credit)
    }
    runOut(isLimited: true)
  }

  /// Adds an item behind all others, unless nothing is accepted any more.
  final func add(_ item: Item) {
    if append(item, whenAdded: {}) { wake() }
  }

  /// Adds an item, runs `whenAdded` under the lock, and leaves the delivery to the caller; returns
  /// false if nothing is accepted any more.
  @inline(__always)
  final func append(_ item: Item, whenAdded: () -> Void) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      items.append(item)
      whenAdded()
      return true
    }
  }

  /// Puts the completion behind all items; only the first counts, and nothing is accepted after it.
  package final func end(_ completion: Subscribers.Completion<Failure>) {
    if close() { deliverEnd(completion) }
  }

  /// Accepts a completion if it is the first; returns whether it is, so that the caller calls
  /// `deliverEnd(_:)`.
  ///
  /// Between the two calls the caller stops the sources of items. Until then they may bring other
  /// completions: this method decides which one counts, before any user code runs.
  package final func close() -> Bool {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    drain.note(.blocked)
    return isFirst
  }

  /// Puts the completion that `close()` accepted behind all items.
  package final func deliverEnd(_ completion: Subscribers.Completion<Failure>) {
    state.withLock { state in
      guard !state.isReleased else { return }
      end = completion
      state.hasEnd = true
    }
    wake()
  }

  /// Accepts the only upstream's completion: releases the upstream, and puts the completion behind
  /// all items.
  package override func receive(completion: Subscribers.Completion<Failure>) {
    if closeAtEndOfUpstream() { deliverEnd(completion) }
  }

  /// Releases the upstream at its completion; returns whether that counts, so that the caller calls
  /// `deliverEnd(_:)`.
  ///
  /// If the upstream ends before it has sent its subscription, the subscriber receives this one
  /// first.
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
    (receiver, isBlocked) = (nil, true)
    let (items, end) = state.withLock { state in
      (state.isClosed, state.hasEnd, state.isReleased) = (true, false, true)
      defer { self.end = nil }
      return (self.items.takeAll(), self.end)
    }
    withExtendedLifetime((items, end)) {}
    didLetGo()
  }
}
