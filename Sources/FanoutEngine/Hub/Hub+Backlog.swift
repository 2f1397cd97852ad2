// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent.

extension Hub {
  /// Takes a receiver in that has a backlog of its own or one that the hub's policy says; a sink takes every value, and
  /// needs one only for what it misses while it waits for a keyframe.
  @inline(never)
  func enterOnTerms(_ cursor: Cursor<Element, End>) {
    if limitsDemand {
      noteDemandDue()
      if let limits, let backlog = cursor.limitedBacklog, backlog.policy.limitsDemand {
        limits.largestCount = max(limits.largestCount, backlog.policy.count)
      }
    }
    if let limits, !cursor.isLimited, !cursor.isSink || hasKeyframes {
      let backlog = LimitedBacklog<Element, End>(limits.policy)
      if limits.policy.isMeasured { backlog.measure = BacklogMeasure(limits.policy, cursor) }
      cursor.backlog = backlog
      cursor.isLimited = true
    }
    guard let backlog = cursor.limitedBacklog else { return giveReplay(to: cursor) }
    if limitsDemand, backlog.policy.overflow == .waits { members.waiting &+= 1 }
    if !hasLog, !cursor.isSink { members.extras &+= 1 }
    backlog.joinedAt = retention.log.end
    backlog.headers.joinedAt = acceptedCount
    if let selection = backlog.selection { withInbox { $0.selections.append(selection) } }
    enter(cursor, backlog)
    backlog.setReplayCount(backlog.policy.countsReplay ? 0 : backlog.count)
    guard backlog.notices != nil else { return }
    backlog.notices?.replayLeft = waitingCount(cursor)
    setBehind(cursor, true)
  }

  /// Gives a newcomer what it gets at the place where it joins.
  func enter(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    expireStart()
    let (place, hasUnknownGap) = resolve(backlog.place)
    if hasUnknownGap { backlog.notices?.hasUnknownGap = true }
    var waitsForKeyframe = false
    if case .nextStart = place { waitsForKeyframe = true }
    guard !waitsForKeyframe, retention.starting.availability == .available else {
      if case .live = place, retention.starting.availability == .exceeded { return }
      backlog.headers.countedFrom = acceptedCount
      awaitStart(cursor, needsKeyframe: waitsForKeyframe)
      return
    }
    switch place {
    case .live, .nextStart, .after: break
    case _ where backlog.selection != nil: giveSelected(place, to: cursor, backlog)
    case .replay: giveOwnReplay(to: cursor)
    case .last(let count): give(last: count, to: cursor)
    }
  }

  /// Gives a newcomer with terms of its own what is remembered: a value that is replaced for others is kept for it.
  func giveOwnReplay(to cursor: Cursor<Element, End>) {
    guard rules.mode == .newest else { return giveReplay(to: cursor) }
    giveContents(replayContents(), to: cursor)
  }

  /// Returns the number of values that wait for a receiver.
  func waitingCount(_ cursor: Cursor<Element, End>) -> Int {
    let own = cursor.backlog?.count ?? 0
    guard let raw = cursor.chunk else { return own }
    return own &+ retention.log.end &- Chunk<Element>(raw).index(at: cursor.offset)
  }

  /// Applies the policy of a receiver that has got all that it has requested so far, and delivers an end for
  /// which it then need not wait: its own, or that of the hub.
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

  func keepWithinLimit(_ cursor: Cursor<Element, End>) {
    guard !cursor.isStopped, let backlog = cursor.limitedBacklog else { return }
    defer { if rules.startRequests != nil { noteLack(cursor, backlog) } }
    if let measure = backlog.measure { return keepWithinMeasure(cursor, backlog, measure) }
    let (count, overflow) = (backlog.policy.count, backlog.policy.overflow)
    if overflow == .waits { return noteDemandDue() }
    guard cursor.isBehind else { return }
    let waiting = waitingCount(cursor)
    guard waiting > count else { return }
    let replay = replayLeft(cursor, backlog)
    let excess = waiting &- replay &- count
    guard excess > 0 else { return }
    switch overflow {
    case .dropsOldest: dropOldest(excess, behind: replay, of: cursor, backlog)
    case .dropsNewest: keepOldest(waiting &- excess, replay, of: cursor, backlog)
    case .ends:
      keepOldest(waiting &- excess, replay, of: cursor, backlog)
      if cursor.awaitsStart { leaveWait(cursor, backlog) }
      if let makeEnd = backlog.policy.makeEnd { backlog.begin(makeEnd()) }
    case .rejoins: rejoin(cursor, backlog)
    case .waits, .conflates: break
    }
  }

  /// Notes whether a receiver is too slow and has no start ahead, so that the upstream is asked for one.
  func noteLack(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    let isTooSlow =
      hasKeyframes && backlog.policy.isRejoining && backlog.measure?.patience?.isOver != false
      && (liveCount(cursor, backlog) > backlog.policy.count
        || backlog.measure?.meter.isOver == true)
    let lacksStart = isTooSlow && !cursor.isSkipped && !backlog.hasEnd
    guard lacksStart != backlog.lacksStart else { return }
    backlog.lacksStart = lacksStart
    members.lackingStart &+= lacksStart ? 1 : -1
    noteDemandDue()
  }

  /// Drops the oldest values that wait for a receiver behind what is left of its replay.
  func dropOldest(
    _ count: Int, behind replay: Int, of cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    if replay > 0 { moveReplay(cursor, backlog) }
    var rest = count
    backlog.missOldest(count, behind: replay)
    while rest > 0, backlog.takeBehind(replay) != nil {
      backlog.setReplayCount(replay)
      rest &-= 1
    }
    guard let raw = cursor.chunk else {
      // Otherwise the end would wait for a request.
      if backlog.count == 0, !cursor.receivesNotices { setBehind(cursor, false) }
      return
    }
    guard rest > 0 else { return }
    var chunk = Chunk<Element>(raw)
    let index = chunk.index(at: cursor.offset) &+ rest
    unrest(cursor)
    while index >= chunk.end, let next = chunk.next { chunk = next }
    if index < chunk.end {
      self.rest(cursor, at: index, in: chunk)
    } else if backlog.count == 0, !cursor.receivesNotices {
      setBehind(cursor, false)
    }
    trim()
  }

  /// Keeps the oldest values that wait for a receiver, in a queue of its own, and drops the others.
  func keepOldest(
    _ count: Int, _ replay: Int, of cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    backlog.miss(waitingCount(cursor) &- count, behind: count)
    if backlog.count > count {
      let kept = ValueQueue<Element>()
      while kept.count < count, let element = backlog.popFirst() { kept.append(element) }
      backlog.swapValues(with: kept)
    }
    // Otherwise the end would wait for a request.
    if count == 0, !cursor.receivesNotices { setBehind(cursor, false) }
    backlog.setReplayCount(replay)
    guard let raw = cursor.chunk else { return }
    let chunk = Chunk<Element>(raw)
    moveToOwn(backlog, from: chunk.index(at: cursor.offset), in: chunk, until: count)
    unrest(cursor)
    trim()
  }

  /// Lets a receiver go on where a newcomer would start, if that lies ahead of its place.
  ///
  /// The contents of a cache may be values that the receiver has had, so it starts behind them.
  func rejoin(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    if let selection = backlog.selection { return rejoinSelected(cursor, backlog, selection) }
    let waiting = waitingCount(cursor)
    guard rules.mode == .log else {
      if let cache = retention.cache, cache.isSnapshot {
        return startAgain(cursor, backlog, from: cache)
      }
      guard rules.mode == .newest else {
        backlog.rejoins &+= 1
        return dropLive(cursor, backlog)
      }
      // The newest value is where a newcomer starts. Those of a closed connection are owed until there is one.
      guard retention.newestIsCached || mayStartBehindClear(cursor, backlog) else { return }
      backlog.rejoins &+= 1
      guard retention.newestIsCached else {
        backlog.miss(waiting)
        return dropWaiting(cursor, backlog)
      }
      backlog.miss(waiting &- 1)
      guard cursor.chunk != nil else {
        while backlog.count > 1 { _ = backlog.popFirst() }
        return
      }
      // Without this floor the newest value would leave the log with the old place.
      let floor = retention.runFloor
      retention.runFloor = min(floor, retention.log.end &- 1)
      dropWaiting(cursor, backlog)
      restInLog(cursor, at: retention.log.end &- 1)
      retention.runFloor = floor
      return
    }
    let place = cursor.chunk.map { Chunk<Element>($0).index(at: cursor.offset) }
    let position = headersFrom(place ?? retention.log.end, backlog)
    let counted =
      waiting &- backlog.headers.uncountedWaiting(from: backlog.log.head, place: place)
    if retention.starting.availability == .exceeded {
      guard owesEnoughOfConnection(cursor, backlog) else { return }
      backlog.rejoins &+= 1
      dropWaiting(cursor, backlog)
      let pending = awaitStart(cursor, headersFrom: position)
      // Nothing of its replay waits any more: headers that it gets later count as live.
      backlog.notices?.dropReplay(without: pending.count(where: backlog.headers.isReplay))
      backlog.miss(counted &- backlog.wait.pendingHeaders, fewer: waiting)
      return
    }
    let start = retention.log.start
    let startsBehind = rules.limit == 0 || rules.keepsUndelivered
    // Copies of headers in front of the start are a part of it.
    let copies = retention.starting.copies
    guard let place, place < start, !(copies.contains(place) && copies.upperBound == start),
      start < retention.log.end || startsBehind || mayStartBehindClear(cursor, backlog)
    else { return }
    backlog.rejoins &+= 1
    // No other receiver gets what is left of its replay, so that stays.
    if rules.keepsUndelivered, replayLeft(cursor, backlog) > 0 {
      return dropLive(cursor, backlog)
    }
    let headers = retention.starting.headers?.contents(position) ?? []
    let positions = headers.map { $0.place }
    let left = retention.log.end &- start
    let missed = counted &- left &- backlog.headers.count(of: positions)
    backlog.missed &+= missed
    let replay = backlog.notices?.replayLeft ?? 0
    backlog.notices?.startAnew(
      missing: missed, fewer: waiting &- left &- headers.count,
      keeping: min(
        replay,
        positions.count(where: backlog.headers.isReplay) &+ max(0, replay &- waiting &+ left)))
    let live = retention.log.end &- max(start, backlog.joinedAt)
    keepMeasures(of: headers, last: live, for: cursor, backlog)
    dropWaiting(cursor, backlog)
    give(headers, to: cursor)
    restAtStart(cursor)
  }

  /// Returns whether too much waits of the current connection: the values of one that has closed are owed until then.
  func owesEnoughOfConnection(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    let opened = retention.starting.openedAt
    let place = cursor.chunk.map { Chunk<Element>($0).index(at: cursor.offset) }
    let count = retention.log.end &- opened
    return (place ?? retention.log.end) >= opened || count > backlog.policy.count
      || backlog.measure?.meter.isOver(last: count) == true
  }

  /// Whether newcomers start behind everything if nothing is retained, because that was cleared.
  ///
  /// Where there are keyframes they wait. A value that the end has overtaken was not cleared.
  var isCleared: Bool {
    rules.isKeyframe == nil && !rules.endOvertakesNewest
      && acceptedCount > retention.starting.openedPosition
  }

  /// Returns whether a receiver for which too much waits may go on behind everything, if nothing is retained.
  func mayStartBehindClear(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    isCleared && owesEnoughOfConnection(cursor, backlog)
  }

  /// Returns the position from which on a receiver lacks headers, if its next value in the log has this place and the
  /// first `kept` of its own values stay.
  func headersFrom(
    _ place: Int, _ backlog: LimitedBacklog<Element, End>, keeping kept: Int = 0
  ) -> Int {
    // A receiver that rejoins goes on behind the last clear.
    let cleared = retention.starting.clearedAt
    // Of an earlier connection it has had no header of this one.
    guard place >= retention.starting.openedAt else { return cleared }
    let undelivered = backlog.headers.firstPosition(from: backlog.log.head &+ kept)
    return max(undelivered ?? place &+ retention.starting.offLog, cleared)
  }

  /// Drops all values that wait for a receiver.
  func dropWaiting(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    unrest(cursor)
    if !cursor.receivesNotices { setBehind(cursor, false) }
    while backlog.popFirst() != nil {}
    trim()
  }

  /// Gives a receiver the contents of a cache in place of everything that waits.
  ///
  /// The value that goes through the receivers has been recorded already, so the contents stand for it too.
  @inline(never)
  func startAgain(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    from cache: CustomCache<Element>
  ) {
    // If only contents wait, they are the newest.
    guard cursor.chunk != nil else { return }
    let contents = cache.contents()
    // Without contents there is no start: what waits is owed by a connection that has closed.
    guard !contents.isEmpty else { return }
    backlog.rejoins &+= 1
    backlog.miss(waitingCount(cursor))
    unrest(cursor)
    let dropped = ValueQueue<Element>()
    backlog.swapValues(with: dropped)
    backlog.setReplayCount(0)
    backlog.measure?.meter.keepLast(0)
    for element in contents {
      backlog.append(element)
      backlog.measure?.meter.append(element)
    }
    trim()
    withExtendedLifetime(dropped) {}
  }
}
