// Unsafe pointers: invariant: the address of a chunk goes to `reading` and back only while
// `runFloor` keeps the values from the cursor's place on, and with them the chunk. The holder of
// the drain alone runs this.

internal import Synchronization

extension Hub {
  /// Gives a receiver what it lacks, as far as its credit goes, and the end if nothing is left.
  func run(_ cursor: Cursor<Element, End>) {
    signals.replayIsStable.store(true, ordering: .releasing)
    serve(cursor)
    signals.replayIsStable.store(false, ordering: .releasing)
  }

  @inline(__always)
  func serve(_ cursor: Cursor<Element, End>) {
    let said = cursor.signals.load(ordering: .acquiring)
    guard cursor.slot >= 0 else { return }
    guard said & (CursorSignal.ready | CursorSignal.stopped) == CursorSignal.ready else { return }
    if cursor.isStalled { resume(cursor) }
    setLacksSubscription(cursor, false)
    cursor.takeUpCredit()
    if cursor.isBehind {
      if cursor.hasCredit {
        catchUp(cursor)
        if members.isWatched, !cursor.isLimited { reportNow(cursor) }
      } else if rules.mode == .newest, !cursor.isLimited {
        // Nothing of it was asked for: it is the newest value, which the hub has as well.
        cursor.backlog = nil
      }
      if rules.endOvertakesNewest, retention.hasEnd, !cursor.isLimited {
        setBehind(cursor, false)
      }
    }
    if cursor.isLimited { return applyBacklogPolicy(cursor) }
    guard !cursor.isStopped else { return }
    if retention.hasEnd, !cursor.isBehind { return finishAtEnd(cursor) }
    updateRegularity(cursor)
    if cursor.isBehind, !cursor.hasCredit, !cursor.isSkipped { stall(cursor) }
  }

  /// Delivers what lies between a receiver and the newest value: first what waits for it alone,
  /// then the log from its place on.
  func catchUp(_ cursor: Cursor<Element, End>) {
    // Mostly nothing but the log matters; the rest would have types looked up.
    guard !cursor.isLimited, !cursor.receivesNotices, cursor.backlog == nil, rules.mode != .newest,
      let raw = cursor.chunk
    else { return catchUpInEachWay(cursor) }
    readLog(cursor, from: raw)
  }

  @inline(never)
  func catchUpInEachWay(_ cursor: Cursor<Element, End>) {
    if let backlog = cursor.limitedBacklog { return catchUp(cursor, backlog) }
    if let backlog = cursor.backlog {
      // The release of the value before may have cancelled.
      while cursor.hasCredit, !cursor.isStopped, let element = backlog.popFirst() {
        guard deliver(element, to: cursor) else { return }
      }
      guard !cursor.isStopped else { return }
      if rules.mode == .newest {
        // What is left is the newest value, which the hub has as well.
        setBehind(cursor, backlog.count > 0)
        cursor.backlog = nil
        return
      }
      guard backlog.count == 0 else { return }
      cursor.dropEmptyBacklog()
    }
    if rules.mode == .newest {
      guard cursor.hasCredit, let element = retention.newest else { return }
      setBehind(cursor, false)
      _ = deliver(element, to: cursor)
    } else if let raw = cursor.chunk {
      readLog(cursor, from: raw)
    } else {
      setBehind(cursor, false)
    }
  }

  /// Delivers what waits for a receiver with a backlog.
  func catchUp(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    if case .dropsOldest = backlog.policy.overflow { dropTooOld(cursor, backlog) }
    if cursor.receivesNotices { return tell(cursor.asDemandCursor) }
    // The release of the value before may have cancelled.
    while cursor.hasCredit, !cursor.isStopped, let element = takeWaiting(cursor, backlog) {
      guard deliver(element, to: cursor) else { return }
    }
    guard !cursor.isStopped, backlog.ownCount == 0 else { return }
    if !backlog.isCollecting, let raw = cursor.chunk {
      readLog(cursor, from: raw)
    } else if waitingCount(cursor) == 0 {
      setBehind(cursor, false)
    }
  }

  /// Delivers what lies in the log from a receiver's place on, as far as its credit goes.
  func readLog(_ cursor: Cursor<Element, End>, from first: UnsafeMutableRawPointer) {
    var chunk = first
    let start = Chunk<Element>(first).index(at: cursor.offset)
    retention.runFloor = start
    unrest(cursor)
    let end = reading(self, cursor, &chunk, start)
    if !cursor.isDetached {
      if end < 0 { setBehind(cursor, false) } else { rest(cursor, at: end, in: Chunk(chunk)) }
    }
    retention.runFloor = .max
    trim()
  }

  /// Delivers values of the log from an index on; returns the index at which it stopped, in
  /// `place`, or -1 at the end.
  @inlinable
  func deliverRun(
    to cursor: Cursor<Element, End>, in place: inout UnsafeMutableRawPointer, from start: Int
  ) -> Int {
    var chunk = Chunk<Element>(place)
    var index = start
    var isAtEnd = false
    while cursor.hasCredit {
      cursor.deliverOnCredit(chunk.slot(index).pointee)
      if drain.has(.control) { takeControl() }
      index &+= 1
      isAtEnd = index == chunk.end
      if isAtEnd, let next = chunk.next {
        chunk = next
        isAtEnd = false
      }
      retention.runFloor = index
      // No receiver that joins later needs this value.
      if index <= retention.log.start { releaseForgotten() }
      // The delivery or the release of a value may have cancelled the cursor.
      if isAtEnd || cursor.isStopped { break }
    }
    place = chunk.raw
    return isAtEnd ? -1 : index
  }

  /// Returns whether more waits for a receiver, also while it reads the log, behind what is being
  /// delivered to it.
  func hasMore(_ cursor: Cursor<Element, End>) -> Bool {
    let hasNotice =
      cursor.receivesNotices
      && cursor.limitedBacklog.map {
        $0.entries.hasNotice(behindReplay: cursor.chunk != nil)
      } == true
    return waitingCount(cursor) > 0 || hasNotice || retention.runFloor < retention.log.end &- 1
  }

  /// Delivers one value.
  ///
  /// Returns false if the receiver has stopped.
  func deliver(_ element: Element, to cursor: Cursor<Element, End>) -> Bool {
    cursor.deliverOnCredit(element)
    if drain.has(.control) { takeControl() }
    return !cursor.isStopped
  }

  /// Delivers the hub's end.
  @inline(never)
  func finishAtEnd(_ cursor: Cursor<Element, End>) {
    if let end = retention.end { finish(cursor, end) }
  }

  /// Delivers the end, having let go of everything else.
  func finish(_ cursor: Cursor<Element, End>, _ end: End) {
    guard !cursor.isDetached else { return }
    cursor.finish(end) {
      cursor.leaveAtEnd()
      detach(cursor)
      // What was released may have cancelled.
      return !cursor.isCancelled
    }
  }
}

extension Hub {
  /// Gives a receiver its values with what it is told beside them, as far as its credit goes.
  ///
  /// Such a receiver counts as one that is behind for as long as it is attached.
  @inline(never)
  func tell(_ cursor: DemandCursor<Element, End>) {
    guard let backlog = cursor.limitedBacklog, let tell = backlog.tell else { return }
    while cursor.credit != .none, !cursor.isStopped {
      let isInReplay = cursor.chunk != nil
      if let notice = backlog.entries.takeNotice(behindReplay: isInReplay) {
        cursor.tellOnCredit(Notice(notice), tell)
      } else {
        let isReplayed = isInReplay || backlog.entries.next?.isReplayed == true
        guard let element = takeWaiting(cursor, backlog) else { return }
        cursor.tellOnCredit(isReplayed ? .replayed(element) : .live(element), tell)
      }
      if drain.has(.control) { takeControl() }
    }
  }

  /// Takes the next value that waits for a receiver in its own queue, or in the log in front of
  /// that.
  func takeWaiting(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Element? {
    guard backlog.isCollecting, let raw = cursor.chunk else { return backlog.takeFirst() }
    let chunk = Chunk<Element>(raw)
    let index = chunk.index(at: cursor.offset)
    let element = chunk.slot(index).pointee
    unrest(cursor)
    if index &+ 1 < backlog.joinedAt { rest(cursor, from: chunk, at: index &+ 1) }
    trim()
    return element
  }

  /// Returns whether nothing waits for a receiver, neither a value nor a notice.
  func hasAll(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    guard cursor.receivesNotices else { return !cursor.isBehind }
    return waitingCount(cursor) == 0 && !backlog.entries.hasNotice(behindReplay: false)
  }
}

extension DemandCursor {
  /// Tells the receiver something, and takes it off the credit.
  final func tellOnCredit(_ notice: Notice<Element>, _ tell: LimitedBacklog<Element, End>.Tell) {
    let more = receiver._withUnsafeGuaranteedRef { tell($0, notice) }
    credit = credit.afterOne + more
    if credit == .none { credit = pending.take() }
  }
}
