// Unmanaged references: invariant: the occupied slots keep cursors and closures alive (`Slot`), and
// only the holder of the drain, which runs this code, vacates slots. Relaxed store: invariant:
// `retentionIsFree` becomes false again before the holder looks at the notes of the drain by a
// read-modify-write (`Drain.meetNotes()`), which orders it.

public import Synchronization

extension Hub {
  /// Remembers a value and gives it to every receiver that can take it now, in their order.
  ///
  /// Other threads may read the retained values while receivers are called that can all take
  /// everything. Before the caller touches those values again, it looks at the notes of the drain
  /// in one step with a write to it: by trying to leave, or by `Drain.meetNotes()`.
  ///
  /// The straight way is part of each caller. The careful way stays outside, because the registers
  /// that it needs would be saved for each value.
  @inlinable
  @inline(__always)
  func pass(_ element: Element) {
    // A lossy hub retains nothing that a loop could read.
    if retention.keeping == .nothing {
      return members.irregular == 0 ? passStraight(element) : passUnkept(element)
    }
    passRemembered(element, releasing: remember(element))
  }

  /// Gives a value that is kept to the receivers, and releases the one that it has replaced before
  /// that.
  @inlinable
  @inline(__always)
  func passRemembered(_ element: Element, releasing displaced: consuming Element?) {
    guard members.irregular == 0 else {
      guard let value = consume displaced else { return passWithCare(element) }
      return passWithCare(element, releasing: consume value)
    }
    signals.retentionIsFree.store(true, ordering: .releasing)
    _ = consume displaced
    passStraight(element)
    signals.retentionIsFree.store(false, ordering: .relaxed)
  }

  /// Gives a value to receivers that all have unlimited credit and are at the tail: nothing but
  /// calls.
  @inlinable
  @inline(__always)
  func passStraight(_ element: Element) {
    let count = members.slots.count
    var index = 0
    while index < count {
      let slot = slot(index)
      index &+= 1
      if let cursor = slot.demandCursor {
        cursor._withUnsafeGuaranteedRef { if !$0.isStopped { _ = $0.deliver(element) } }
      } else if let closures = slot.closures, !drain.has(.control) || !skips(slot) {
        // A cancel leaves a note, so that without one no cursor has to be looked at.
        closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
      }
    }
  }

  /// Returns whether the sink in a slot was cancelled or waits for a start, and if so counts it as
  /// irregular until it is detached.
  ///
  /// A cancel marks the cursor before it sets its note. Without the count, a straight pass that
  /// sees no note yet would call a sink that has missed a value.
  @usableFromInline
  @inline(never)
  func skips(_ slot: Slot<Element, End>) -> Bool {
    guard let cursor = slot.cursor else { return true }
    return cursor._withUnsafeGuaranteedRef { cursor in
      guard cursor.isSkipped else { return false }
      if !cursor.isIrregular {
        cursor.isIrregular = true
        members.irregular &+= 1
      }
      return true
    }
  }

  /// Gives a value to the receivers when not all of them are regular.
  @usableFromInline
  @inline(never)
  func passWithCare(_ element: Element) {
    guard retention.cache == nil else { return passBehindCache(element) }
    guard members.extras == 0 else { return passWithExtras(element) }
    passByState(element)
  }

  /// Gives a value that a cache has recorded to the receivers, which may read its contents.
  @inline(never)
  func passBehindCache(_ element: Element) {
    let known = signals.recorder.load(ordering: .relaxed)
    signals.recorder.store(ThreadMark.number, ordering: .relaxed)
    if members.extras == 0 { passByState(element) } else { passWithExtras(element) }
    signals.recorder.store(known, ordering: .relaxed)
  }

  /// Releases the value that the newest one has replaced, and gives that to the receivers.
  @usableFromInline
  @inline(never)
  func passWithCare(_ element: Element, releasing displaced: consuming Element) {
    signals.replayIsStable.store(true, ordering: .releasing)
    _ = consume displaced
    signals.replayIsStable.store(false, ordering: .releasing)
    passWithCare(element)
  }

  /// Gives a value that is not kept to the receivers when not all of them are regular.
  @usableFromInline
  @inline(never)
  func passUnkept(_ element: Element) {
    if members.extras == 0 { passToEach(element) } else { passWithExtras(element) }
  }

  /// Gives a value to the receivers when some of them need it in the log of a hub that otherwise
  /// has none, or when their accounts are watched.
  @inline(never)
  func passWithExtras(_ element: Element) {
    if !hasLog { keepForLaggards(element) }
    passByState(element)
    if members.isWatched { reportAllNow() }
  }

  /// Gives a value to the receivers; those that are stalled, and whose backlog has no room for it,
  /// go on before that.
  @inline(__always)
  func passByState(_ element: Element) {
    if members.stalled.count > 0, retention.log.end > members.stalled.limit { resumeFull() }
    passToEach(element)
  }

  /// Gives a value to each receiver in turn; one that cannot take it is left behind, or loses it.
  @inline(never)
  func passToEach(_ element: Element) {
    let usesLog = hasLog || members.extras > 0
    if usesLog { retention.passFloor = retention.log.end &- 1 }
    members.isPassing = true
    signals.replayIsStable.store(true, ordering: .releasing)
    let count = members.slots.count
    var index = 0
    while index < count {
      let slot = slot(index)
      index &+= 1
      if let cursor = slot.demandCursor {
        cursor._withUnsafeGuaranteedRef { give(element, to: $0) }
      } else if let closures = slot.closures, !isSkipped(closures) || !skips(slot) {
        closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
      }
    }
    if rules.mode == .newest { retention.displaced = nil }
    endPass(releasing: usesLog)
    if usesLog, limitsDemand { noteDemandDue() }
  }

  /// Ends a careful pass; if `releases`, releases what was kept in the log and is not needed any
  /// more.
  @inline(__always)
  func endPass(releasing releases: Bool) {
    members.isPassing = false
    signals.replayIsStable.store(false, ordering: .releasing)
    retention.passFloor = .max
    if releases {
      // What a newcomer would get is not in the log.
      if rules.mode != .log { retention.log.forgetAll() }
      if !members.stalled.windows.isEmpty { moveWindow() }
      trim()
    }
    compactIfSparse()
  }

  @inline(__always)
  func isSkipped(_ closures: Unmanaged<SinkClosures<Element, End>>) -> Bool {
    closures._withUnsafeGuaranteedRef { $0.cursor?._withUnsafeGuaranteedRef { $0.isSkipped } }
      ?? true
  }

  @inline(__always)
  func give(_ element: Element, to cursor: DemandCursor<Element, End>) {
    let said = cursor.signals.load(ordering: .acquiring)
    guard said & (CursorSignal.skipped | CursorSignal.selects) == 0 else {
      if said & CursorSignal.selects != 0 { offerSelected(element, to: cursor) }
      return
    }
    guard said & CursorSignal.ready != 0, !cursor.isBehind else {
      return offerToLagging(element, to: cursor)
    }
    if cursor.credit == .none { cursor.credit = cursor.pending.take() }
    if cursor.credit == .none {
      // A receiver with a backlog has its policy applied when it is run, behind what it takes.
      return cursor.isLimited
        ? offerToLagging(element, to: cursor) : retainOrDrop(element, to: cursor)
    }
    let more = cursor.deliver(element)
    cursor.credit = cursor.credit.afterOne + more
    if cursor.credit.isUnlimited || cursor.pending.peek().isUnlimited { updateRegularity(cursor) }
  }

  /// Offers a value to a receiver that lacks earlier ones or its subscription.
  @inline(never)
  func offerToLagging(_ element: Element, to cursor: DemandCursor<Element, End>) {
    if cursor.isStalled {
      if cursor.pending.peek() != .none { offerAfterRequest(element, to: cursor) }
      return
    }
    // Nothing is accepted any more for a receiver that has an end of its own.
    if cursor.isLimited, cursor.limitedBacklog?.hasEnd == true { return }
    // Running it may release it, also from its slot, and so may a policy that ends it.
    let strong = Unmanaged.passRetained(cursor)
    defer { strong.release() }
    retainOrDrop(element, to: cursor)
    // It may have become ready just now.
    guard cursor.isReady, cursor.isBehind else { return }
    run(cursor)
    // The pass goes on.
    signals.replayIsStable.store(true, ordering: .releasing)
  }

  /// Notes that a receiver has not taken the value that was remembered last, or drops the value for
  /// it, as the hub's rules say.
  @inline(never)
  func retainOrDrop(_ element: Element, to cursor: Cursor<Element, End>) {
    if cursor.isLimited || hasLog {
      if let backlog = cursor.limitedBacklog {
        // Where nothing may wait, the value is missed at once.
        if backlog.policy.count == 0, !backlog.policy.isMeasured, !cursor.isBehind, cursor.isReady {
          return backlog.miss(1)
        }
        if backlog.isCollecting { return collect(element, for: cursor, backlog) }
      }
      if cursor.chunk == nil, let last = retention.log.last {
        rest(cursor, at: retention.log.end &- 1, in: last)
      }
      return setBehind(cursor, true)
    }
    if members.isWatched { return retainOrDropWatched(element, cursor) }
    retainRequested(element, for: cursor)
  }

  /// Keeps a value for a receiver without a backlog if it was requested, or notes that it is the
  /// newest.
  @inline(__always)
  func retainRequested(_ element: Element, for cursor: Cursor<Element, End>) {
    if cursor.lacksSubscription || cursor.backlog != nil { keepRequested(element, for: cursor) }
    if rules.mode == .newest { setBehind(cursor, true) }
  }

  /// Passes the end on to every receiver for which nothing waits.
  ///
  /// The others get it when they have requested the rest.
  func passEnd(_ end: End) {
    retention.begin(end)
    limits?.upstream = nil
    if members.awaiting > 0 {
      // No start comes any more.
      forEachCursor {
        if $0.awaitsStart, let backlog = $0.limitedBacklog { endWait(of: $0, backlog) }
      }
    }
    if rules.startRequests != nil { noteDemandDue() }
    members.isPassing = true
    forEachCursor { cursor in
      if rules.endOvertakesNewest, cursor.lacksSubscription { dropUnrequested(cursor) }
      run(cursor)
    }
    members.isPassing = false
    if !members.stalled.windows.isEmpty {
      moveWindow()
      trim()
    }
    compactIfSparse()
    if rules.endOvertakesNewest {
      meetReaders()
      retention.newestIsCached = false
      releaseNewest()
    }
  }

  /// Takes the lock under which a thread may copy the replay that began to do so while receivers
  /// were called, before the replay is changed.
  ///
  /// Cancels and requests wait for their turn.
  func meetReaders() {
    // A thread sets its note before it looks, under this lock, whether receivers are called.
    if drain.meetNotes().contains(.control) { withInbox { _ in } }
  }
}

/// The values that a receiver without a policy requests in a hub without a log, before it has its
/// subscription.
///
/// They are kept value by value, not by a place: whether a value is among them depends on the
/// requests up to that value, so that others may be missing in between.
extension Hub {
  /// Keeps for a receiver what it requested while it was receiving its subscription.
  ///
  /// That is kept, also where a value that was not requested is lost or replaced.
  func keepRequested(_ element: Element, for cursor: Cursor<Element, End>) {
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if rules.mode == .lossy {
      guard asked > UInt(backlog.count) else { return }
    } else {
      if cursor.isBehind, cursor.backlog == nil, let displaced = retention.displaced {
        backlog.append(displaced)
      }
      if asked < UInt(backlog.count) { _ = backlog.popLast() }
    }
    backlog.append(element)
    cursor.backlog = backlog
    setBehind(cursor, true)
  }

  /// Drops the values that the end overtakes: those that a receiver without its subscription has
  /// not requested.
  ///
  /// What the receiver has requested stays.
  func dropUnrequested(_ cursor: Cursor<Element, End>) {
    guard cursor.isBehind, !cursor.isLimited else { return }
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if cursor.backlog == nil, let newest = retention.newest { backlog.append(newest) }
    while UInt(backlog.count) > asked { _ = backlog.popLast() }
    cursor.backlog = backlog.count > 0 ? backlog : nil
    setBehind(cursor, backlog.count > 0)
  }
}
