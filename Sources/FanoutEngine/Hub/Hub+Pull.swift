// Cursors are served under the lock of the inbox; objects are released and tasks resumed after the
// unlock. Relaxed loads: invariant: the gate changes only under that lock, which is held at each of
// them.

internal import Synchronization

extension Hub {
  /// The number that is added to the gate while a loop fetches values, so that none passes without
  /// the lock.
  static var observed: Int { 1 << 62 }

  /// The connection that a gate says is open, whether it is observed or not.
  @inline(__always)
  static func connection(of gate: Int) -> Int { gate >= observed ? gate &- observed : gate }

  /// Gives a cursor its place: behind everything accepted so far, before everything later.
  ///
  /// The holder of the drain looks up the replay; this call does it if that is possible while the
  /// holder calls a receiver. It returns false, having let the cursor go, if newcomers wait for a
  /// keyframe, so that no loop can fetch.
  @discardableResult
  public func join(_ cursor: PullCursor<Element, End>) -> Bool {
    var served = DeferredWork()
    var isRefused = false
    let acceptance = withInbox { inbox -> Acceptance in
      isRefused = hasKeyframes && letsNewcomersWait
      if isRefused {
        served.rest.departures.append(.init(cursor, atEnd: false))
        return .refused
      }
      let log = inbox.pullLog ?? PullLog(observer, requestsStarts: rules.startRequests != nil)
      inbox.pullLog = log
      if let terms = cursor.terms {
        if terms.policy.limitsDemand { cursor.size = terms.policy.count }
        if terms.policy.isRejoining { followStarts(in: log) }
      }
      log.add(cursor)
      let known = signals.gate.load(ordering: .relaxed)
      if known >= 0, known < Self.observed {
        signals.gate.store(known + Self.observed, ordering: .releasing)
      }
      guard limitsDemand || (rules.hasReplay && !cursor.joinsLive) else {
        // What it knows cannot be found here, so that values may be missing behind it.
        let hasUnknownGap = cursor.terms?.place.ifUnknown?.hasUnknownGap == true
        begin(cursor, hasUnknownGap: hasUnknownGap, &inbox, &served)
        return .refused
      }
      if drain.isIdle, drain.tryEnter() { return .direct }
      return borrowReplay(for: cursor, &inbox, &served)
    }
    carryOut(served)
    if isRefused { return false }
    act(on: acceptance) { $0.enter(cursor) }
    // It wants everything, and so counts among the receivers that have requested a value, unless it
    // has left already.
    let isThere = withInbox { _ in
      cursor.isCounted = !cursor.isOver
      return cursor.isCounted
    }
    if isThere { countDemandingReceiver() }
    tellCountLater()
    return true
  }

  /// Follows, under the lock, where newcomers start, because a loop rejoins.
  @inline(never)
  func followStarts(in log: PullLog<Element, End>) {
    if let count = rules.restartCount { return log.starts.count = count }
    guard rules.restartsAtStart, !log.seeksStarts else { return }
    log.starts.follow()
    signals.loopsSeekStarts.store(true, ordering: .releasing)
  }

  /// Begins a call for a cursor, which has its result at once if there is one and no other call
  /// waits.
  @inlinable
  func begin(_ cursor: PullCursor<Element, End>) -> PullBeginning<Element, End> {
    var served = DeferredWork()
    var isDemandDue = false
    let beginning = withInbox { inbox -> PullBeginning<Element, End> in
      if !conflatesFirst(cursor, &served), cursor.waiting == 0,
        let fetched = result(for: cursor, &inbox, &served)
      {
        isDemandDue = noteCall(of: cursor, hasFound: true, inbox, &served)
        return .result(fetched)
      }
      _ = noteCall(of: cursor, hasFound: false, inbox, &served)
      if !cursor.isTold { formOffering(&inbox) }
      cursor.waiting &+= 1
      return .waiting(cursor.calls.withLock { $0.begin() })
    }
    carryOut(served, andUnpin: isDemandDue ? cursor : nil)
    return beginning
  }

  /// Does what is left to do after a call of a loop; the deliveries that it makes for others are
  /// limited.
  @usableFromInline
  func carryOut(_ served: consuming DeferredWork, andUnpin cursor: PullCursor<Element, End>?) {
    guard cursor != nil || !served.isEmpty else { return }
    let mark = BoundedDelivery.setMark()
    defer { mark?.pointee = false }
    carryOut(served)
    if let cursor { unpin(cursor) }
  }

  /// Takes a cursor out.
  func leave(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork()
    withInbox { inbox in
      let isWithdrawn = inbox.withdrawJoin(of: cursor)
      if let terms = cursor.terms, terms.lacksStart {
        inbox.pullLog?.setLack(of: cursor, terms, false, &served)
      }
      detach(cursor, atEnd: false, &inbox, &served)
      serve(cursor, &inbox, &served)
      if cursor.size > 0, !isWithdrawn { cursor.attend(&served) }
    }
    carryOut(served)
  }

  /// Accepts a value for every pull cursor, under the lock; `isStart` is nil if neither that nor
  /// the cost matters.
  @inline(__always)
  func offer(_ element: Element, cost: Int, isStart: Bool?, _ served: inout DeferredWork) {
    guard isStart == nil, !rules.measuresFetches, let offering = inbox.offering else {
      return offerInGeneral(element, cost: cost, isStart: isStart == true, &served)
    }
    offering._withUnsafeGuaranteedRef {
      let offering = unsafeDowncast($0, to: Offering<Element, End>.self)
      offering.add(self, offering.log, element, &served)
    }
  }

  @inline(never)
  func offerInGeneral(_ element: Element, cost: Int, isStart: Bool, _ served: inout DeferredWork) {
    guard let log = inbox.pullLog,
      log.append(element, cost: cost, isStart: isStart, &served)
    else { return }
    serveAll(in: log, &inbox, &served)
  }

  /// Accepts the end for every pull cursor.
  func offerEnd(_ end: End, _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork) {
    inbox.end = end
    guard let log = inbox.pullLog else { return }
    log.endAwaiting()
    log.cursors.forEach {
      lookAtStart(of: $0, inbox, &served)
      noteTaken($0, in: log, &served)
    }
    serveAll(in: log, &inbox, &served)
  }

  /// Adds a value for every loop, and gives the calls that wait what there is for them: `offer`,
  /// where the types are known.
  @inlinable
  func push(
    _ element: Element, in log: PullLog<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) {
    if log.push(element, &served) { serveAll(in: log, &inbox, &served) }
  }

  /// Gives the calls that wait for any cursor what there is for them.
  @inlinable
  @inline(__always)
  func serveAll(
    in log: PullLog<Element, End>, _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork
  ) {
    var count = log.cursors.placeCount
    var place = 0
    while place < count {
      if let cursor = log.cursors.member(at: place), cursor.waiting > 0 {
        serve(cursor, &inbox, &served)
      }
      place &+= 1
      // A loop that took its end has left, and the others have moved.
      if log.cursors.placeCount < count { (count, place) = (log.cursors.placeCount, 0) }
    }
  }

  /// Has values for loops added by code that is formed here, where the types are known.
  @inlinable
  @inline(__always)
  func formOffering(_ inbox: inout Inbox<Element, End>) {
    guard inbox.offering == nil, let log = inbox.pullLog else { return }
    let offering = Offering<Element, End>(for: Unmanaged.passUnretained(log).toOpaque()) {
      hub, log, element, served in
      Unmanaged<PullLog<Element, End>>.fromOpaque(log)._withUnsafeGuaranteedRef {
        hub.push(element, in: $0, &hub.inbox, &served)
      }
    }
    inbox.offering = .passUnretained(offering)
    log.offering = offering
  }

  /// Leaves or passes on a value that is for pull cursors too.
  @inline(never)
  func enqueueObserved(_ element: Element, from connection: Int) {
    guard Self.connection(of: signals.gate.load(ordering: .acquiring)) == connection else { return }
    let cost = rules.measuresFetches ? max(0, limits?.policy.fetchCost?(element) ?? 0) : 0
    var isStart: Bool?
    if signals.loopsSeekStarts.load(ordering: .acquiring) { isStart = rules.isKeyframe?(element) }
    var served = DeferredWork()
    let arrives = isSenderSought && arrives()
    var takesOver = false
    let acceptance = inboxLock.withLock { _ -> Acceptance in
      let acceptance = acceptObserved(
        element, cost: cost, isStart: isStart, from: connection, &served)
      if arrives { takesOver = hasArrived(acceptance) }
      return acceptance
    }
    carryOut(&served, asHolder: acceptance == .direct)
    if takesOver { runOut() }
    switch acceptance {
    case .direct: passAndLeave(element)
    case .holding: runOut()
    case .observed: enqueueObserved(element, from: connection)
    case .refused, .left: break
    }
  }

  /// Does what is left to do for loops before a value, or an end, is delivered: what was dropped is
  /// released.
  @inline(__always)
  func carryOut(_ served: inout DeferredWork, asHolder isHolder: Bool) {
    guard !served.isEmpty else { return }
    guard isHolder else {
      carryOut(served)
      return served = DeferredWork()
    }
    recording {
      carryOut(served)
      served = DeferredWork()
    }
  }

  /// Leaves a value, under the lock, for every pull cursor, and to the delivering thread unless the
  /// hub is idle.
  @inline(__always)
  func acceptObserved(
    _ element: Element, cost: Int, isStart: Bool?, from connection: Int,
    _ served: inout DeferredWork
  ) -> Acceptance {
    guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
      return .refused
    }
    // A loop has joined for which it matters whether the value is a start.
    if isStart == nil, inbox.pullLog?.seeksStarts == true { return .observed }
    offer(element, cost: cost, isStart: isStart, &served)
    if drain.isIdle, drain.tryEnter() { return .direct }
    return leave(element, &inbox)
  }

  /// Leaves a value that may be for pull cursors too, or is refused; returns whether the caller
  /// passes it on; if not, it does not hold the drain any more.
  @usableFromInline
  @inline(never)
  func acceptsObserved(_ element: Element, from connection: Int) -> Bool {
    // User code, before the accept and with no lock held: the cost, and whether it is a start.
    var asksFirst = rules.measuresFetches || signals.loopsSeekStarts.load(ordering: .acquiring)
    var served = DeferredWork()
    var isNext = false
    if !asksFirst {
      isNext = inboxLock.withLock { _ in
        guard Self.connection(of: signals.gate.load(ordering: .relaxed)) == connection else {
          return false
        }
        asksFirst = inbox.pullLog?.seeksStarts == true
        if asksFirst { return false }
        offer(element, cost: 0, isStart: nil, &served)
        // Another thread may have left work since the drain was entered: that was accepted before.
        if !drain.has(.queued) { return true }
        leaveBehind(element)
        return false
      }
    }
    carryOut(&served, asHolder: true)
    if isNext { return true }
    leave()
    if asksFirst { enqueueObserved(element, from: connection) }
    return false
  }

  /// Leaves a value, under the lock, behind work that was accepted before.
  @inline(never)
  func leaveBehind(_ element: Element) {
    inbox.values.append(element)
    inbox.work.append(.value)
    noteOrigin(in: &inbox)
  }
}
