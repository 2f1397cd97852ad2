// Unsafe pointers: invariant: the memory for an item is initialised from the move out of the queue
// until its delivery is over. Everything here is called by the holder of the drain; `deliverAtOnce`
// takes it first.

internal import FanoutCore
internal import FanoutEngine

/// The next thing to deliver from a queue.
enum QueueSupply: Sendable {
  /// An item, which has been moved to the caller's memory.
  case item
  case end
  case nothing
}

extension QueuedSubscription {
  /// Delivers a value at once if nothing is in front of it and it is requested, and calls `enqueue`
  /// otherwise.
  ///
  /// If no thread delivers and the queue is clear, the value needs no place in the queue, and no
  /// lock. A value that another publisher brings meanwhile may come behind it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - mayPass: The closure that returns whether the value may be delivered by the caller, which
  ///     holds the drain.
  ///   - afterwards: The closure that runs behind the delivery; the caller still holds the drain.
  ///   - enqueue: The closure that adds the value to the queue.
  @inline(__always)
  final func deliverAtOnce(
    _ value: Output, if mayPass: () -> Bool = { true }, afterwards: () -> Void = {},
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
    runOut(isLimited: false)
  }

  /// Delivers a value, and returns what the subscriber requests with it, or nil if everything is
  /// released.
  @inline(__always)
  final func pass(_ value: Output) -> Credit? {
    // Not retained for each value: only the holder of the drain releases it, and behind the
    // delivery.
    guard let receiver = receiver.map(Unmanaged.passUnretained) else { return nil }
    let more = receiver._withUnsafeGuaranteedRef { calls.deliver($0, value) }
    credit = credit.afterOne + more
    return more
  }

  /// Delivers requested items until nothing is left to do.
  @inline(__always)
  final func deliverItems(
    isLimited: Bool, whenTaken: (QueueState) -> Void = { _ in }, afterEach: (Credit) -> Void
  ) where Item == Output {
    runTurns(isLimited: isLimited, isBlocked: { isBlocked }) {
      deliverWaiting(atMost: BoundedDelivery.count, whenTaken: whenTaken, afterEach: afterEach)
    }
  }

  /// Delivers requested items up to a number, and the completion, once; returns whether it stopped
  /// at that number.
  ///
  /// `whenTaken` runs under the lock for each item that is taken out, and `beforeEach` behind it
  /// without the lock.
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, whenTaken: (QueueState) -> Void = { _ in }, beforeEach: () -> Void = {},
    afterEach: (Credit) -> Void
  ) -> Bool where Item == Output {
    // As default arguments these closures would be allocated.
    deliverWaiting(
      atMost: limit, next: { _ in false }, mayWait: { true }, waiting: { items.count },
      takesAll: { false }, whenTaken: whenTaken, beforeEach: beforeEach, afterEach: afterEach)
  }

  /// Delivers requested items up to a number, and the completion, once.
  ///
  /// Items are moved out one by one, unless `mayWait` knows that none waits. `waiting` returns,
  /// under the lock, the number of those that may be moved out. Where several wait, `takesAll` may
  /// take them all, under the lock; then `next` moves them out. `whenTaken` runs under the lock for
  /// each item that is taken out, and `beforeEach` behind it without the lock. Returns whether it
  /// stopped at the number, so that more may be left to deliver.
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, next: (UnsafeMutablePointer<Output>) -> Bool, mayWait: () -> Bool,
    waiting: () -> Int, takesAll: () -> Bool, whenTaken: (QueueState) -> Void,
    beforeEach: () -> Void, afterEach: (Credit) -> Void
  ) -> Bool where Item == Output {
    withUnsafeTemporaryAllocation(of: Output.self, capacity: 1) { memory in
      guard let slot = memory.baseAddress else { return false }
      var count = 0
      while !isCancelled, receiver != nil {
        guard count < limit else { return true }
        if credit == .none { credit = pending.take() }
        var isLast = false
        switch take(
          to: slot, isLast: &isLast, next: next, mayWait: mayWait, waiting: waiting,
          takesAll: takesAll,
          whenTaken: whenTaken)
        {
        case .nothing: return false
        case .end:
          finish()
          return false
        case .item:
          beforeEach()
          guard let more = pass(slot.move()) else { return false }
          afterEach(more)
          count &+= 1
          // What has come since then has left a note.
          if isLast, !drain.has([.queued, .control]) { return false }
        }
      }
      return false
    }
  }

  /// Moves the next requested item out, or finds the completion behind the last one.
  ///
  /// It sets `isLast` if nothing waits behind the item, not even a completion.
  @inline(__always)
  final func take(
    to slot: UnsafeMutablePointer<Output>, isLast: inout Bool,
    next: (UnsafeMutablePointer<Output>) -> Bool,
    mayWait: () -> Bool, waiting: () -> Int, takesAll: () -> Bool,
    whenTaken: (QueueState) -> Void
  ) -> QueueSupply where Item == Output {
    if next(slot) { return .item }
    guard mayWait() else { return .nothing }
    return state.withLock { state in
      let count = waiting()
      if count > 1, takesAll(), next(slot) { return .item }
      if count > 0, credit != .none, items.moveFirst(to: slot) {
        isLast = count == 1 && !state.isClosed
        if isLast { isBlocked = false }
        whenTaken(state)
        return .item
      }
      isBlocked = count > 0 || state.isClosed
      return count == 0 && state.hasEnd ? .end : .nothing
    }
  }

  /// Releases everything, and delivers the completion.
  package final func finish() {
    let receiver = receiver
    let end = state.withLock { _ in self.end }
    letGo()
    // The `deinit` of a released object may have cancelled.
    if !isCancelled, let receiver, let end { calls.ends.finish(receiver, end) }
  }
}
