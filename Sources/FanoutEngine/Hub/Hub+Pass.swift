// Unmanaged references: invariant: the occupied slots keep cursors and closures alive (`Slot`), and only the holder
// of the drain, which runs this code, vacates slots. Relaxed store: invariant: `memoryIsFree` becomes false again
// before the holder looks at the notes of the drain by a read-modify-write (`Drain.meetNotes()`), which orders it.

public import Synchronization

extension Hub {
  /// Remembers a value and gives it to every receiver that can take it now, in their order.
  ///
  /// Other threads may read the retained values while receivers are called that can all take
  /// everything. Before the caller touches those values again, it looks at the notes of the drain in
  /// one step with a write to it: by trying to leave, or by `Drain.meetNotes()`.
  ///
  /// The straight way is part of each caller. The careful way stays outside, because the registers that it
  /// needs would be saved for each value.
  @inlinable
  @inline(__always)
  func pass(_ element: Element) {
    // A lossy hub retains nothing that a loop could read, and no receiver stalls there.
    if retention.keeping == .nothing {
      guard members.irregular == 0 else { return passToEach(element) }
      return passStraight(element)
    }
    remember(element)
    passRemembered(element)
  }

  @inlinable
  @inline(__always)
  func passRemembered(_ element: Element) {
    guard members.irregular == 0 else { return passWithCare(element) }
    signals.memoryIsFree.store(true, ordering: .releasing)
    passStraight(element)
    signals.memoryIsFree.store(false, ordering: .relaxed)
  }

  /// Everyone has unlimited credit and is at the tail: nothing but calls.
  ///
  /// The occupied slots keep cursors and closures alive (`Slot`), and only the holder of the drain, which
  /// is this thread, vacates slots; so nothing is retained here.
  @inlinable
  @inline(__always)
  func passStraight(_ element: Element) {
    let count = members.slots.count
    var index = 0
    while index < count {
      let slot = members.slots[index]
      index &+= 1
      if let cursor = slot.demandCursor {
        cursor._withUnsafeGuaranteedRef {
          if plantedFault == 1 || !$0.isStopped { _ = $0.deliver(element) }
        }
      } else if let closures = slot.closures, !drain.has(.attention) || !skips(slot) {
        // Whoever cancels leaves a note, so that without one no cursor has to be looked at.
        closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
      }
    }
  }

  /// Returns whether the sink in a slot was cancelled or waits for a start, and if so counts it as irregular until it
  /// is detached.
  ///
  /// A cancel marks the cursor before it sets its note. Without the count, a straight pass that sees no note
  /// yet would call a sink that has missed a value.
  @inlinable
  @inline(never)
  func skips(_ slot: Slot<Element, End>) -> Bool {
    guard let cursor = slot.cursor else { return true }
    return cursor._withUnsafeGuaranteedRef { cursor in
      guard cursor.isPassedBy else { return false }
      if !cursor.isIrregular {
        cursor.isIrregular = true
        members.irregular &+= 1
      }
      return true
    }
  }

  /// Gives a value to the receivers when not all of them are regular.
  @inlinable
  @inline(never)
  func passWithCare(_ element: Element) {
    guard members.stalled.count > 0 else { return passToEach(element) }
    guard retention.log.end <= members.stalled.limit else { return passToFull(element) }
    guard plantedFault == 3 || members.stalled.count == members.irregular else {
      return passToEach(element)
    }
    passBesideStalled(element)
  }

  /// Gives a value to the receivers when a backlog of one that is stalled has no room for it.
  @inlinable
  @inline(never)
  func passToFull(_ element: Element) {
    resumeFull()
    if members.stalled.count > 0,
      plantedFault == 18 || members.stalled.count == members.irregular
    {
      passBesideStalled(element)
    } else {
      passToEach(element)
    }
  }

  /// Gives a value to each in turn; who cannot take it is left behind, or loses it.
  @inlinable
  @inline(never)
  func passToEach(_ element: Element) {
    let isLogged = rules.mode == .log || rules.mode == .custom
    if isLogged { retention.passFloor = retention.log.end &- 1 }
    members.isPassing = true
    signals.replayIsStable.store(true, ordering: .releasing)
    let count = members.slots.count
    var index = 0
    while index < count {
      let slot = members.slots[index]
      index &+= 1
      if let cursor = slot.demandCursor {
        cursor._withUnsafeGuaranteedRef { give(element, to: $0) }
      } else if let closures = slot.closures,
        plantedFault == 2 || !isPassedBy(closures) || !skips(slot)
      {
        closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
      }
    }
    members.isPassing = false
    signals.replayIsStable.store(false, ordering: .releasing)
    if isLogged { endPassOfLog() } else { retention.displaced = nil }
    members.slots.compactIfSparse()
  }

  /// Releases what was kept while a value went through the receivers, and that nobody needs any more.
  @inlinable
  @inline(__always)
  func endPassOfLog() {
    // What a newcomer would get is in the cache.
    if rules.mode == .custom { retention.log.forgetAll() }
    retention.passFloor = .max
    if members.stalled.sliding > 0 { moveWindow() }
    trim()
    if isGating { noteRoom() }
  }

  @inlinable
  @inline(__always)
  func isPassedBy(_ closures: Unmanaged<SinkClosures<Element, End>>) -> Bool {
    closures._withUnsafeGuaranteedRef { $0.cursor?._withUnsafeGuaranteedRef { $0.isPassedBy } }
      ?? true
  }

  @inlinable
  @inline(__always)
  func give(_ element: Element, to cursor: DemandCursor<Element, End>) {
    let said = cursor.signals.load(ordering: .acquiring)
    guard said & CursorSignal.passedBy == 0 else { return goBy(cursor, element) }
    guard said & CursorSignal.ready != 0, !cursor.isBehind else {
      return giveLater(element, to: cursor)
    }
    if cursor.credit == .none {
      cursor.credit = plantedFault == 12 ? cursor.pending.peek() : cursor.pending.take()
    }
    if cursor.credit == .none { return giveNothing(element, to: cursor) }
    let more = cursor.deliver(element)
    cursor.credit = cursor.credit.afterOne + (plantedFault == 4 ? .none : more)
    if cursor.credit.isUnlimited || cursor.pending.peek().isUnlimited { settle(cursor) }
  }

  /// Notes that a receiver without credit has not taken a value, also in its account.
  @inlinable
  @inline(never)
  func giveNothing(_ element: Element, to cursor: DemandCursor<Element, End>) {
    owe(element, to: cursor)
    if cursor.isLimited, signals.isWatched.load(ordering: .relaxed) { report(cursor) }
  }

  /// Gives a value to a receiver that lacks earlier ones or its subscription.
  @inlinable
  @inline(never)
  func giveLater(_ element: Element, to cursor: DemandCursor<Element, End>) {
    // Nothing is accepted any more for a receiver that has an end of its own.
    if plantedFault != 22, cursor.isLimited, cursor.limitedBacklog?.end != nil {
      return goIdle(cursor)
    }
    owe(element, to: cursor)
    guard cursor.isReady, cursor.isBehind else { return }
    let hasNone = cursor.credit == .none && cursor.pending.peek() == .none
    if hasNone, !cursor.isUntold, cursor.isLimited || rules.mode != .newest {
      // Nothing can be delivered; who requests meanwhile leaves a note.
      guard cursor.isLimited else { return goIdle(cursor) }
      let strong = Unmanaged.passRetained(cursor)
      settleLimited(cursor)
      goIdle(cursor)
      return strong.release()
    }
    // It may have become ready just now. Running it may release it, also from its slot.
    let strong = Unmanaged.passRetained(cursor)
    run(cursor)
    strong.release()
    // The pass goes on.
    signals.replayIsStable.store(true, ordering: .releasing)
  }

  /// Notes that a receiver has not taken the value that was remembered last, or drops the value for
  /// it, as the memory says.
  @inlinable
  func owe(_ element: Element, to cursor: Cursor<Element, End>) {
    switch rules.mode {
    case .log, .custom:
      if cursor.chunk == nil, let last = retention.log.last {
        rest(cursor, at: retention.log.end &- 1, in: last)
      }
      setBehind(cursor, true)
    case .lossy:
      if cursor.isUntold || (plantedFault != 26 && cursor.backlog != nil) {
        keepAsked(element, for: cursor)
      }
    case .newest:
      if cursor.isUntold || cursor.backlog != nil { keepAsked(element, for: cursor) }
      setBehind(cursor, true)
    }
  }

  /// Keeps for a receiver what it asked for while it was being told of its subscription: that is
  /// owed to it value by value, also where a value that nobody asked for is lost or replaced.
  @inlinable
  func keepAsked(_ element: Element, for cursor: Cursor<Element, End>) {
    if let backlog = cursor.limitedBacklog {
      // Its own policy says what is lost.
      if backlog.policy.count == 0, cursor.isReady, !cursor.isBehind {
        return backlog.miss(1, behind: 0)
      }
      backlog.append(element)
      return setBehind(cursor, true)
    }
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if rules.mode == .lossy {
      guard asked &+ (plantedFault == 25 ? 1 : 0) > UInt(backlog.count) else { return }
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

  /// Passes the end on to all who are owed nothing; the others get it when they have asked for the
  /// rest.
  @inlinable
  func passEnd(_ end: End) {
    retention.end = end
    limits?.upstream = nil
    if members.awaiting > 0 { endWaits() }
    if rules.startRequests != nil { noteRoom() }
    members.isPassing = true
    let count = members.slots.count
    var index = 0
    while index < count {
      let slot = members.slots[index]
      index &+= 1
      guard let cursor = slot.cursor?.takeUnretainedValue() else { continue }
      if rules.newestIsOvertaken, cursor.isUntold { overtake(cursor) }
      run(cursor)
    }
    members.isPassing = false
    members.slots.compactIfSparse()
    if rules.newestIsOvertaken {
      meetReaders()
      retention.newestIsCached = false
      retention.newest = nil
    }
  }

  /// Takes the lock under which a thread may copy the replay that began to do so while receivers were called, before
  /// the replay is changed.
  ///
  /// Cancels and requests wait for their turn. Returns whether a thread reads the cache, which may not be changed then.
  @inlinable
  @discardableResult
  func meetReaders() -> Bool {
    guard !drain.meetNotes().isDisjoint(with: [.attention, .reading]) else { return false }
    // A thread sets its note before it looks, under this lock, whether receivers are called; it takes `.reading` back
    // under this lock too.
    return inbox.withLock { _ in drain.has(.reading) }
  }

  /// A receiver is still being told of its subscription while the end overtakes what it has not
  /// asked for; what it has asked for is owed to it.
  @inlinable
  func overtake(_ cursor: Cursor<Element, End>) {
    guard cursor.isBehind, !cursor.isLimited else { return }
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if cursor.backlog == nil, let newest = retention.newest { backlog.append(newest) }
    while UInt(backlog.count) > asked { _ = backlog.popLast() }
    cursor.backlog = backlog.count > 0 ? backlog : nil
    setBehind(cursor, backlog.count > 0)
  }
}
