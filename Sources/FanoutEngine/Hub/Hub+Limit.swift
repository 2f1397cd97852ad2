// Every function here is called by the holder of the drain. A release of a value may run user code,
// so it happens when the cursor and the log are consistent; so do the calls of the closures that
// return costs and keys.

/// The values that a receiver has got where it started are reserved for it: they do not count among
/// those that its policy limits. They are in front of all others.
extension Hub {
  /// Returns the number of values that wait for a receiver.
  func waitingCount(_ cursor: Cursor<Element, End>) -> Int {
    let reserved = cursor.limitedBacklog?.reservedCount ?? 0
    return (cursor.backlog?.count ?? 0) &+ reserved &+ loggedCount(cursor)
  }

  /// Returns the number of values that wait for a receiver in the log.
  func loggedCount(_ cursor: Cursor<Element, End>) -> Int {
    guard let raw = cursor.chunk else { return 0 }
    let place = Chunk<Element>(raw).index(at: cursor.offset)
    guard let backlog = cursor.limitedBacklog, backlog.isCollecting else {
      return retention.log.end &- place
    }
    return backlog.joinedAt &- place
  }

  /// Returns the number of values that are left of what is reserved for a receiver.
  func reservedCount(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    let own = backlog.reservedCount
    guard let raw = cursor.chunk else { return own }
    return own &+ max(0, backlog.joinedAt &- Chunk<Element>(raw).index(at: cursor.offset))
  }

  /// Returns the number of values that wait for a receiver and count.
  func liveCount(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    waitingCount(cursor) &- reservedCount(cursor, backlog)
  }

  /// Collects a value that a receiver cannot take, or is about to, in its own queue, and measures
  /// it.
  ///
  /// What is too much is found behind that: what the receiver takes now does not wait.
  func collect(
    _ element: Element, for cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    if backlog.count == 0 { _ = backlog.endConflation() }
    backlog.append(element, Entry(at: acceptedCount &- 1))
    setBehind(cursor, true)
    backlog.measure?.noteArrival(of: element)
  }

  /// Applies the policy of a receiver that has got all that it has requested so far, and delivers
  /// an end for which it then need not wait: its own, or that of the hub.
  @inline(never)
  func applyBacklogPolicy(_ cursor: Cursor<Element, End>) {
    keepWithinLimit(cursor)
    guard !cursor.isStopped else { return }
    if members.isWatched { reportNow(cursor) }
    if let backlog = cursor.limitedBacklog, backlog.hasEnd || retention.hasEnd,
      hasAll(cursor, backlog)
    {
      guard backlog.hasEnd else { return finishAtEnd(cursor) }
      if let end = backlog.end { finish(cursor, end) }
      return
    }
    updateRegularity(cursor)
    if cursor.isBehind, !cursor.hasCredit { stallLimited(cursor) }
  }

  /// Applies the policy of a receiver to what waits for it.
  func keepWithinLimit(_ cursor: Cursor<Element, End>) {
    guard !cursor.isStopped, let backlog = cursor.limitedBacklog else { return }
    defer { if rules.startRequests != nil { noteLack(cursor, backlog) } }
    guard !backlog.hasEnd else { return }
    if backlog.policy.limitsDemand { noteDemandDue() }
    let live = liveCount(cursor, backlog)
    // Mostly nothing waits, and nothing is looked up then.
    if live == 0, backlog.measure == nil { return }
    // What the keys of values that were taken hold goes with them.
    if live == 0 { _ = backlog.endConflation() }
    let result = backlog.keepWithinLimit(live: live, cursor, to: nil)
    if live > 0 { noteDropped(cursor) }
    if backlog.hasEnd {
      if cursor.awaitsStart {
        endWait(of: cursor, backlog)
        setAwaitsStart(cursor, false)
      }
      backlog.end = backlog.policy.makeEnd?()
    }
    if result.isToRejoin { rejoin(cursor, backlog) }
    if result.isToConflate { backlog.conflated &+= backlog.conflate() }
    if let epoch = backlog.noteRoom() ?? result.epoch { backlog.measure?.patience?.begin(epoch) }
  }

  /// Notes whether a receiver is too slow and has no start ahead, so that the upstream is asked for
  /// one.
  func noteLack(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    let isTooSlow =
      hasKeyframes && backlog.policy.isRejoining && backlog.measure?.patience?.isOver != false
      && backlog.isOver(liveCount(cursor, backlog))
    let lacksStart = isTooSlow && !cursor.isSkipped && !backlog.hasEnd
    guard lacksStart != backlog.lacksStart else { return }
    backlog.lacksStart = lacksStart
    members.lackingStart &+= lacksStart ? 1 : -1
    noteDemandDue()
  }

  /// Notes that a receiver lacks nothing any more if nothing waits for it.
  ///
  /// Otherwise the end would wait for a request.
  func noteDropped(_ cursor: Cursor<Element, End>) {
    if waitingCount(cursor) == 0, !cursor.receivesNotices { setBehind(cursor, false) }
  }

  /// Drops the oldest values that wait for a receiver which collects none, behind what is reserved
  /// for it; `live` of those that wait count.
  func dropOldest(
    of live: Int, _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    var left = live
    moveToOwn(cursor, backlog, until: 0)
    while backlog.count > 0, backlog.isOver(left) {
      backlog.dropOldest(to: nil)
      left &-= 1
    }
    if left > backlog.policy.count { skip(left &- backlog.policy.count, in: cursor, backlog) }
  }

  /// Lets a receiver pass over values of the log, which it misses.
  func skip(
    _ count: Int, in cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    guard let raw = cursor.chunk else { return }
    backlog.miss(count)
    let place = Chunk<Element>(raw).index(at: cursor.offset) &+ count
    unrest(cursor)
    rest(cursor, from: Chunk(raw), at: place)
    trim()
  }

  /// Drops the values that have become too old for a receiver that is about to take some.
  ///
  /// What it takes does not wait, so that no other limit is looked at before that.
  @inline(never)
  func dropTooOld(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    guard let measure = backlog.measure else { return }
    for _ in 0..<measure.meter.tooOldCount(at: measure.meter.now) { backlog.dropOldest(to: nil) }
    noteDropped(cursor)
  }

  /// Drops the newest values that wait for a receiver which collects none.
  ///
  /// The others wait in a queue of the receiver's own, so that the log need not be kept for it.
  func dropNewest(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    let kept = backlog.policy.count
    moveToOwn(cursor, backlog, until: kept)
    while backlog.count > kept { backlog.dropNewest(to: nil) }
    backlog.miss(loggedCount(cursor))
    unrest(cursor)
    trim()
  }

  /// Moves what is reserved for a receiver from the log to its own values, and values behind that
  /// until `count` or all of them count.
  func moveToOwn(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>, until count: Int
  ) {
    guard let raw = cursor.chunk else { return }
    var chunk = Chunk<Element>(raw)
    var index = chunk.index(at: cursor.offset)
    guard index < backlog.joinedAt || backlog.count < count else { return }
    unrest(cursor)
    while index < retention.log.end, index < backlog.joinedAt || backlog.count < count {
      while index >= chunk.end, let next = chunk.next { chunk = next }
      backlog.append(
        chunk.slot(index).pointee, Entry(at: index &+ retention.starting.offLog))
      index &+= 1
      if index == backlog.joinedAt { backlog.reserve() }
    }
    rest(cursor, from: chunk, at: index)
    trim()
  }
}
