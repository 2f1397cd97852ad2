public import FanoutCore
public import FanoutEngine

// Everything here is called by the holder of the drain; `deliverAtOnce` takes it first.

extension OldQueuedSubscription {
  /// The next thing to deliver.
  @usableFromInline
  package enum Supply {
    case item(Item)
    case end(Subscribers.Completion<Downstream.Failure>)
    case nothing
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
}

@available(*, unavailable)
extension OldQueuedSubscription.Supply: Sendable {}
