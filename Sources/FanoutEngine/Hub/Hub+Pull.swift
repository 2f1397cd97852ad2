// Cursors are served under the lock of the inbox; objects are released and tasks resumed after the unlock.
// Relaxed loads: invariant: the gate changes only under that lock, which is held at each of them.

public import Synchronization

extension Hub {
  /// The number that is added to the gate while a loop fetches values, so that none passes without the lock.
  @usableFromInline static var observed: Int { 1 << 62 }

  /// The connection that a gate says is open, whether it is observed or not.
  @inlinable
  static func connection(of gate: Int) -> Int { gate >= observed ? gate &- observed : gate }

  /// Gives a cursor its place: behind everything accepted so far, before everything later.
  ///
  /// The holder of the drain looks up the replay; this call does it if that is possible while the
  /// holder calls a receiver.
  @inlinable
  public func join(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork<Element, End>()
    let acceptance = inbox.withLock { inbox -> Acceptance in
      let log = inbox.pullLog ?? PullLog(observer, costLimit: limits?.fetchCost?.limit)
      inbox.pullLog = log
      if let terms = cursor.terms {
        if terms.policy.limitsDemand { cursor.size = terms.policy.count }
        if terms.policy.isRejoining { terms.restartCount = rules.restartCount }
      }
      log.add(cursor)
      let known = signals.gate.load(ordering: .relaxed)
      if known >= 0, known < Self.observed {
        signals.gate.store(known + Self.observed, ordering: .releasing)
      }
      guard limitsDemand || (rules.hasReplay && !cursor.joinsLive) else {
        // What it knows cannot be found here, so that values may be missing behind it.
        var start = PullStart<Element>()
        start.hasUnknownGap = cursor.terms?.place.ifUnknown?.hasUnknownGap == true
        cursor.begin(after: start)
        return .refused
      }
      if drain.isIdle, drain.tryEnter() { return .direct }
      return borrowReplay(for: cursor, &inbox, &served)
    }
    carryOut(served)
    switch acceptance {
    case .direct:
      enter(cursor)
      leave(isLimited: true)
    case .holding: runOut(isLimited: true)
    case .refused, .left, .observed: break
    }
    countIn(cursor)
  }

  /// Counts a cursor among the receivers that have requested a value, unless it has left already: it wants everything.
  @inlinable
  func countIn(_ cursor: PullCursor<Element, End>) {
    let isThere = inbox.withLock { _ in
      cursor.isCounted = !cursor.isOver
      return cursor.isCounted
    }
    if isThere { countDemandingReceiver() }
    tellCountLater()
  }

  /// Has the holder of the drain ask the upstream for more, if no more than half of what may wait for a cursor does.
  ///
  /// A loop that takes values comes by here before it has none left. So the upstream is asked for several at a time.
  @inlinable
  func noteDemandDue(
    of cursor: PullCursor<Element, End>, _ inbox: Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    guard let log = inbox.pullLog, !cursor.isOver, !cursor.isPinNoted,
      log.waitingCount(cursor) <= cursor.size / 2
    else { return }
    cursor.isPinNoted = true
    served.rest.unpinned.append(cursor)
  }

  /// Begins a call for a cursor, which has its result at once if there is one and no other call waits.
  @inlinable
  func begin(_ cursor: PullCursor<Element, End>) -> PullBeginning<Element, End> {
    var served = DeferredWork<Element, End>()
    let beginning = inbox.withLock { inbox -> PullBeginning<Element, End> in
      if cursor.waiting == 0, let fetched = result(for: cursor, &inbox, &served) {
        notePin(cursor, &served)
        return .result(fetched)
      }
      if let log = inbox.pullLog, log.observer != nil, log.report(cursor) {
        served.rest.endings.append((cursor, nil))
      }
      cursor.waiting &+= 1
      return .waiting(cursor.calls.withLock { $0.begin() })
    }
    if !served.isEmpty { BoundedDelivery.limit { carryOut(served) } }
    return beginning
  }

  /// Takes a cursor out.
  @inlinable
  func leave(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      let isWithdrawn = inbox.withdrawJoin(of: cursor)
      detach(cursor, atEnd: false, &inbox, &served)
      serve(cursor, &inbox, &served)
      if cursor.size > 0, !cursor.isPinNoted, !isWithdrawn {
        cursor.isPinNoted = true
        served.rest.unpinned.append(cursor)
      }
    }
    carryOut(served)
  }

  /// Returns the cost of a value, if that limits what may wait for a loop; called with no lock held, as the closure is
  /// user code.
  @inlinable
  func cost(of element: Element) -> Int {
    guard let cost = limits?.fetchCost else { return 0 }
    return max(0, min(cost.of(element), cost.limit &+ 1))
  }

  /// Accepts a value for every pull cursor.
  @inlinable
  func offer(
    _ element: Element, cost: Int, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    guard let log = inbox.pullLog, log.append(element, cost: cost, &served) else { return }
    for cursor in log.cursors.members { serve(cursor, &inbox, &served) }
  }

  /// Accepts the end for every pull cursor.
  @inlinable
  func offerEnd(
    _ end: End, _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork<Element, End>
  ) {
    inbox.end = end
    guard let log = inbox.pullLog else { return }
    for cursor in log.cursors.members { serve(cursor, &inbox, &served) }
  }

  /// Leaves or passes on a value that is for pull cursors too.
  @inlinable
  @inline(never)
  func enqueueObserved(_ element: Element, from connection: Int) {
    guard Self.connection(of: signals.gate.load(ordering: .acquiring)) == connection else { return }
    let cost = cost(of: element)
    var served = DeferredWork<Element, End>()
    let arrives = isSenderSought && arrives()
    var takesOver = false
    let acceptance = inbox.withLock { inbox -> Acceptance in
      let acceptance = acceptObserved(
        element, cost: cost, from: connection, &inbox, &served)
      if arrives { takesOver = hasArrived(acceptance) }
      return acceptance
    }
    if !served.isEmpty {
      carryOut(served)
      // What was dropped is released before the value is delivered.
      served = DeferredWork()
    }
    if takesOver { runOut() }
    switch acceptance {
    case .direct:
      pass(element)
      leave()
    case .holding: runOut()
    case .refused, .left, .observed: break
    }
  }

  /// Leaves a value, under the lock, for every pull cursor, and to the delivering thread unless the hub is idle.
  @inlinable
  @inline(__always)
  func acceptObserved(
    _ element: Element, cost: Int, from connection: Int, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) -> Acceptance {
    guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
      return .refused
    }
    offer(element, cost: cost, &inbox, &served)
    if drain.isIdle, drain.tryEnter() { return .direct }
    return leave(.value(element), &inbox)
  }

  /// Passes on a value that is for pull cursors too, or is refused.
  ///
  /// The caller holds the drain, and does not hold it any more after this.
  @inlinable
  @inline(never)
  func sendObserved(_ element: Element, from connection: Int) {
    if limits?.fetchCost != nil {
      // What a value costs says user code, which runs before the value is accepted and while nothing is held.
      leave()
      return enqueueObserved(element, from: connection)
    }
    var served = DeferredWork<Element, End>()
    let isNext = inbox.withLock { inbox -> Bool in
      guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
        return false
      }
      offer(element, cost: 0, &inbox, &served)
      // Another thread may have left work since the drain was entered: that was accepted before.
      if inbox.work.isEmpty { return true }
      inbox.work.append(.value(element))
      noteOrigin(in: &inbox)
      return false
    }
    if !served.isEmpty {
      carryOut(served)
      served = DeferredWork()
    }
    if isNext { pass(element) }
    leave()
  }
}

extension Hub {
  /// Gives the calls that wait for a cursor what there is for them.
  @inlinable
  func serve(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    while cursor.waiting > 0, let fetched = result(for: cursor, &inbox, &served) {
      cursor.waiting &-= 1
      if let resumption = cursor.calls.withLock({ $0.give(fetched) }) { served.resume(resumption) }
    }
    notePin(cursor, &served)
  }

  @inlinable
  func notePin(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork<Element, End>) {
    guard cursor.wantsUnpinning(inSteps: rules.forgets) else { return }
    cursor.isPinNoted = true
    served.rest.unpinned.append(cursor)
  }

  /// Returns the result of a call that waits, or nil if there is none yet.
  @inlinable
  func result(
    for cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) -> Fetched<Element, End>? {
    guard let terms = cursor.terms, terms.isTold, !cursor.isOver else {
      return next(cursor, &inbox, &served)
    }
    guard !cursor.isJoining, let log = inbox.pullLog else { return nil }
    let replayCount = cursor.replayCount
    let liveCount = log.count(cursor)
    let hasResult = cursor.batch.withLock { batch in
      let hasNotice = batch.notices?.hasNext == true
      batch.isFirstAsked = replayCount == 0 && !hasNotice && liveCount &+ batch.values.count > 0
      return hasNotice || !batch.values.isEmpty || replayCount &+ liveCount > 0
    }
    let isEnded = terms.end != nil || (inbox.end != nil && !terms.isEnding)
    return hasResult || isEnded ? .again : nil
  }

  /// Returns the next result for a cursor, or nil if there is none yet.
  @inlinable
  func next(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) -> Fetched<Element, End>? {
    guard !cursor.isOver, let log = inbox.pullLog else { return .nothing }
    guard !cursor.isJoining else { return nil }
    if let element = cursor.takeReplay() ?? cursor.terms?.takeKept() ?? log.take(cursor) {
      return .element(element)
    }
    guard let end = cursor.terms?.isEnding == true ? cursor.terms?.end : inbox.end else {
      return nil
    }
    detach(cursor, atEnd: true, &inbox, &served)
    return .end(end)
  }

  /// Takes a cursor out of the pull log, and releases the log with the last one.
  @inlinable
  func detach(
    _ cursor: PullCursor<Element, End>, atEnd: Bool, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    guard !cursor.isOver, let log = inbox.pullLog else { return }
    cursor.isOver = true
    log.remove(cursor, atEnd: atEnd, released: &served.rest.skipped)
    if let backlog = cursor.backlog { served.rest.objects.append(backlog) }
    if let terms = cursor.terms { served.rest.objects.append(terms) }
    cursor.backlog = nil
    cursor.terms = nil
    cursor.replay = nil
    served.rest.departures.append(.init(cursor, atEnd: atEnd))
    cursor.whenLeft = nil
    guard log.cursors.isEmpty else { return }
    served.rest.objects.append(log)
    inbox.pullLog = nil
    let known = signals.gate.load(ordering: .relaxed)
    if known >= Self.observed {
      signals.gate.store(known - Self.observed, ordering: .releasing)
    }
  }

  /// Does what is left to do when the lock is free: lets go, and then resumes tasks.
  @inlinable
  func carryOut(_ served: DeferredWork<Element, End>) {
    guard let rest = served.storedRest else {
      served.resumption?.resume()
      return
    }
    carryOut(rest)
    served.resumption?.resume()
    for resumption in rest.resumptions { resumption.resume() }
  }

  /// Takes cursors that have left out of the hub, and does what waits for others.
  @inlinable
  @inline(never)
  func carryOut(_ rest: DeferredWork<Element, End>.Rest) {
    for departure in rest.departures {
      if departure.wasCounted { countOutReceiver() }
      departure.whenLeft?(departure.atEnd)
      tellCountLater()
      departure.cursor.owner.close()
    }
    for cursor in rest.unpinned { unpin(cursor) }
    for ending in rest.endings { end(ending.cursor, by: ending.makeEnd) }
  }

  /// Gives a cursor for which too many values wait the end that it alone gets, or has its events told.
  @inlinable
  @inline(never)
  func end(_ cursor: PullCursor<Element, End>, by makeEnd: (() -> End)?) {
    guard let end = makeEnd?() else { return tellCountLater() }
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      guard let terms = cursor.terms else { return }
      terms.end = end
      serve(cursor, &inbox, &served)
    }
    carryOut(served)
  }

  /// Has the log forget what the replay of a cursor has behind it, and the upstream asked for what there is room for.
  @inlinable
  func unpin(_ cursor: PullCursor<Element, End>) {
    if tryEnter() {
      movePin(cursor)
      return leave(isLimited: true)
    }
    let isHolding = inbox.withLock { inbox in
      inbox.unpinned.append(cursor)
      return drain.announce(.control)
    }
    if isHolding { runOut(isLimited: true) }
  }

  /// Moves the pins that were noted, as the holder of the drain.
  @inlinable
  @inline(never)
  func movePins() {
    let unpinned = inbox.withLock { inbox in
      let unpinned = inbox.unpinned
      inbox.unpinned = []
      return unpinned
    }
    for cursor in unpinned { movePin(cursor) }
  }

  /// Moves the place from which on the log is kept for a cursor, as the holder of the drain.
  @inlinable
  func movePin(_ cursor: PullCursor<Element, End>) {
    if cursor.size > 0 { noteDemandDue() }
    let wanted = inbox.withLock { _ in
      cursor.isPinNoted = false
      cursor.pinnedChunk = cursor.replay?.chunk
      return cursor.replay
    }
    guard let pinned = cursor.pinned else { return }
    if let wanted { Chunk<Element>(wanted.chunk).changeResting(at: wanted.index, arriving: true) }
    Chunk<Element>(pinned.chunk).changeResting(at: pinned.index, arriving: false)
    cursor.pinned = wanted.map { .init(chunk: $0.chunk, index: $0.index) }
    trim()
  }
}
