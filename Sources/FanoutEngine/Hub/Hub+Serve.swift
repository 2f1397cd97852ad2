// Cursors are served under the lock of the inbox; objects are released and tasks resumed after the
// unlock. Relaxed loads: invariant: the gate changes only under that lock, which is held at each of
// them.

internal import Synchronization

extension Hub {
  /// Gives the calls that wait for a cursor what there is for them.
  @inlinable
  func serve(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) {
    while cursor.waiting > 0, let fetched = result(for: cursor, &inbox, &served) {
      cursor.waiting &-= 1
      if let task = cursor.calls.withLock({ $0.give(fetched) })?.task { served.resume(task) }
    }
    noteTaken(cursor, inbox, &served)
  }

  /// Notes what follows from a call of a loop; returns whether the holder of the drain has to ask
  /// the upstream for more: no more than half of what may wait for the loop does, and no backlog of
  /// another one is known to be full.
  ///
  /// A loop that takes values comes by here before it has none left, so that the upstream is asked
  /// for several at a time. A call that finds nothing does not have it asked: the one that took the
  /// last value did, unless another backlog was full, whose loop does when half of it is free.
  @usableFromInline
  @inline(never)
  func noteCall(
    of cursor: PullCursor<Element, End>, hasFound: Bool, _ inbox: Inbox<Element, End>,
    _ served: inout DeferredWork
  ) -> Bool {
    lookAtStart(of: cursor, inbox, &served)
    noteTaken(cursor, inbox, &served)
    guard hasFound, cursor.size > 0, let log = inbox.pullLog, !cursor.isOver, !cursor.isPinNoted,
      log.waitingCount(cursor) <= cursor.size / 2,
      !(log.isHeldBack && log.hasFullBacklog())
    else { return false }
    cursor.isPinNoted = true
    return true
  }

  /// Lets a loop go on where newcomers start by now, if too much waits for it and it rejoins: it
  /// has taken a value, or the end has come.
  func lookAtStart(
    of cursor: PullCursor<Element, End>, _ inbox: Inbox<Element, End>, _ served: inout DeferredWork
  ) {
    if cursor.isRejoining { inbox.pullLog?.keepWithinLimit(cursor, &served) }
  }

  /// Notes what follows from the values that a loop may have taken.
  @inlinable
  func noteTaken(
    _ cursor: PullCursor<Element, End>, _ inbox: Inbox<Element, End>, _ served: inout DeferredWork
  ) {
    guard cursor.terms != nil || cursor.pinned != nil || inbox.pullLog?.observer != nil else {
      return
    }
    noteTaken(cursor, in: inbox.pullLog, &served)
  }

  /// Notes what follows for the terms of a loop, for the observer and for the replay.
  @usableFromInline
  @inline(never)
  func noteTaken(
    _ cursor: PullCursor<Element, End>, in log: PullLog<Element, End>?, _ served: inout DeferredWork
  ) {
    if cursor.isLimited, let terms = cursor.terms, let log {
      if terms.measure != nil { log.keepWithinLimit(cursor, &served) }
      if log.requestsStarts { log.noteLack(of: cursor, terms, &served) }
    }
    // The observer is told the rest of what the loop has missed.
    if let log, log.observer != nil, log.report(cursor) { served.rest.userCalls.append(.observer) }
    // The log forgets what lies behind the replay chunk by chunk, or value by value where it
    // forgets by itself.
    if let pinned = cursor.pinned, rules.keeping.forgets || cursor.replay?.chunk != pinned.chunk {
      cursor.attend(&served)
    }
  }

  /// Returns the result of a call that waits, or nil if there is none yet.
  @inlinable
  func result(
    for cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) -> Fetched<Element, End>? {
    if cursor.hasNotices, cursor.isToFetch { return .again }
    if let element = takeBatched(cursor) { return .element(element) }
    return next(cursor, &inbox, &served)
  }

  /// Takes a value that a call by a copy of the iterator has put aside, together with an earlier
  /// one.
  @inlinable
  func takeBatched(_ cursor: PullCursor<Element, End>) -> Element? {
    guard cursor.mayHaveBatch, !cursor.isOver else { return nil }
    let element = cursor.withBatch { $0.popLast() }
    if element == nil { cursor.mayHaveBatch = false }
    return element
  }

  /// Returns the next result for a cursor, or nil if there is none yet.
  @inlinable
  func next(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) -> Fetched<Element, End>? {
    guard !cursor.isOver, let log = inbox.pullLog else { return .nothing }
    guard !cursor.isHeld else { return nil }
    if let element = cursor.takeOwn() { return .element(element) }
    if let element = log.take(cursor) { return .element(element) }
    return withUnsafeTemporaryAllocation(of: End.self, capacity: 1) { memory in
      guard let slot = memory.baseAddress, moveEnd(of: cursor, to: slot, &inbox, &served) else {
        return nil
      }
      return .end(slot.move())
    }
  }

  /// Moves the end of a cursor to memory that holds none, and takes the cursor out; returns false
  /// if it is not due.
  @usableFromInline
  @inline(never)
  func moveEnd(
    of cursor: PullCursor<Element, End>, to slot: UnsafeMutablePointer<End>,
    _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork
  ) -> Bool {
    // Values that have to be conflated come before the end.
    if cursor.collectedCount > 0 { return false }
    if let terms = cursor.terms, terms.hasEnd {
      guard terms.copyEnd(to: slot) else { return false }
    } else {
      guard signals.gate.load(ordering: .relaxed) == Self.endedGate else { return false }
      inbox.copyEnd(to: slot)
    }
    detach(cursor, atEnd: true, &inbox, &served)
    return true
  }

  /// Takes a cursor out, and the pull log with the last one.
  func detach(
    _ cursor: PullCursor<Element, End>, atEnd: Bool, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) {
    guard !cursor.isOver, let log = inbox.pullLog else { return }
    log.remove(cursor, released: &served.rest)
    if let backlog = cursor.backlog { served.rest.objects.append(backlog) }
    if let terms = cursor.terms { served.rest.objects.append(terms) }
    if let held = cursor.held { served.rest.objects.append(held) }
    cursor.backlog = nil
    cursor.held = nil
    cursor.terms = nil
    cursor.replay = nil
    cursor.replayCount = 0
    served.rest.departures.append(.init(cursor, atEnd: atEnd))
    cursor.whenLeft = nil
    if log.cursors.count == 0 { served.rest.objects.append(log) }
    if log.seeksStarts, log.rejoining == 0 {
      log.starts.count = 0
      signals.loopsSeekStarts.store(false, ordering: .releasing)
    }
    guard log.cursors.count == 0 else { return }
    inbox.pullLog = nil
    inbox.offering = nil
    let known = signals.gate.load(ordering: .relaxed)
    if known >= Self.observed {
      signals.gate.store(known - Self.observed, ordering: .releasing)
    }
  }

  /// Does what is left to do when the lock is free: lets go, and then resumes tasks.
  @inline(never)
  func carryOut(_ served: consuming DeferredWork) {
    guard let rest = served.storedRest.take() else {
      served.task?.resume()
      return
    }
    // Takes cursors that have left out of the hub.
    for departure in rest.departures {
      if departure.wasCounted { countOutReceiver() }
      departure.whenLeft?(departure.atEnd)
      tellCountLater()
      cursor(departure.cursor).owner.close()
    }
    served.task?.resume()
    for task in rest.tasks { task.resume() }
    // No loop waits for deliveries to others, nor for closures that are called for another one.
    for object in rest.unpinned { unpin(cursor(object)) }
    for call in rest.userCalls {
      switch call {
      case .makeEnd(let object): makeEnd(of: cursor(object))
      case .conflate(let object): conflate(for: cursor(object))
      case .beginTime(let timer, let subject, let epoch): timer.begin(epoch, for: subject)
      case .observer: tellCountLater()
      }
    }
  }

  /// Returns a cursor of this hub with its type.
  @inline(__always)
  func cursor(_ object: AnyObject) -> PullCursor<Element, End> {
    unsafeDowncast(object, to: PullCursor<Element, End>.self)
  }

  /// Gives a cursor for which too many values wait the end that it alone gets.
  @inline(never)
  func makeEnd(of cursor: PullCursor<Element, End>) {
    guard let makeEnd = withInbox({ _ in cursor.terms?.policy.makeEnd }) else { return }
    let end = makeEnd()
    var served = DeferredWork()
    withInbox { inbox in
      guard let terms = cursor.terms else { return }
      terms.end = end
      serve(cursor, &inbox, &served)
    }
    carryOut(served)
  }

  /// Conflates what was accepted for a loop.
  ///
  /// Beyond 128 values, what others have sent meanwhile is left to the next thread that sends, or
  /// to the loop, which conflates before it takes a value.
  @inline(never)
  func conflate(for cursor: PullCursor<Element, End>) {
    var count = 0
    while let terms = beginConflating(for: cursor, hasDoneItsShare: count >= 128) {
      count &+= terms.unconflatedCount
      let displaced = terms.conflate()
      var served = DeferredWork()
      withInbox { inbox in
        terms.conflated &+= displaced
        cursor.conflating = nil
        release(cursor, &inbox, &served)
        if inbox.pullLog?.report(cursor) == true { served.rest.userCalls.append(.observer) }
      }
      // What has come meanwhile is this loop's next turn, and not one within it.
      served.storedRest?.userCalls.removeAll { if case .conflate = $0 { true } else { false } }
      carryOut(served)
    }
  }

  /// Begins to conflate, unless this thread has done its share and no call waits.
  func beginConflating(
    for cursor: PullCursor<Element, End>, hasDoneItsShare: Bool
  ) -> LimitedBacklog<Element, End>? {
    withInbox { _ in
      guard let terms = cursor.terms, !cursor.isHeld, terms.unconflatedCount > 0,
        !hasDoneItsShare || cursor.waiting > 0
      else { return nil }
      cursor.isHeld = true
      cursor.conflating = terms.ownCount
      return terms
    }
  }

  /// Has what threads that send have left to a loop conflated first; returns whether there is any.
  @usableFromInline
  func conflatesFirst(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork) -> Bool {
    guard cursor.isLimited, !cursor.isHeld, cursor.terms?.unconflatedCount ?? 0 > 0
    else { return false }
    served.rest.userCalls.append(.conflate(cursor))
    return true
  }

  /// Lets a cursor take values, the ones that it can take and those that have come meanwhile, in
  /// their order.
  func release(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) {
    cursor.isHeld = false
    serve(cursor, &inbox, &served)
    guard let held = cursor.held, let log = inbox.pullLog else { return }
    while held.count > 0, let terms = cursor.terms {
      // Let go before a call gets it, so that the last reference is not released here.
      if let next = held.popFirst(),
        !log.collect(next.element, next.arrival, for: cursor, terms, &served)
      {
        served.rest.skip(next.element)
      }
      if cursor.waiting > 0 { serve(cursor, &inbox, &served) }
    }
    cursor.held = nil
    if inbox.end != nil { lookAtStart(of: cursor, inbox, &served) }
    if inbox.end != nil || !log.starts.isAwaited { cursor.terms?.endWait(at: log.log.end) }
    serve(cursor, &inbox, &served)
  }
}
