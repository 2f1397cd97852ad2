// Every function here is called by the holder of the drain, but for `hasReceiver(selecting:)`. They call the closure of
// a selection, which is user code, when the cursor and the log are consistent.

internal import Synchronization

/// A header that is offered to a receiver.
typealias OfferedHeader<Element> = (old: Int, position: Int, value: Element)

extension Hub {
  /// Offers a value to a receiver that takes only some, and that is irregular.
  @inline(never)
  func offerSelected(_ element: Element, to cursor: DemandCursor<Element, End>) {
    guard !cursor.isStopped, let backlog = cursor.limitedBacklog, !backlog.hasEnd,
      let selection = backlog.selection
    else { return }
    guard cursor.isIrregular else {
      _ = cursor.deliver(element)
      return
    }
    let takes = selection.selects(element)
    selection.takesNewest = takes
    // The closure may have cancelled.
    guard !cursor.isStopped else { return }
    guard takes else {
      // What waits may have become too old.
      _ = isWaitOver(cursor, backlog)
      return
    }
    guard !cursor.awaitsStart else { return noteGone(selection) }
    if cursor.isReady, !cursor.isBehind {
      if cursor.credit == .none { cursor.credit = cursor.pending.take() }
      if cursor.credit != .none {
        let more = cursor.deliver(element)
        cursor.credit = cursor.credit.afterOne + more
        if cursor.credit.isUnlimited || cursor.pending.peek().isUnlimited {
          updateRegularity(cursor)
        }
        return
      }
      // Where nothing may wait, the value is missed at once.
      if backlog.policy.count == 0 { return backlog.miss(1, behind: 0) }
    }
    backlog.append(element, at: acceptedCount &- 1)
    setBehind(cursor, true)
    if let measure = backlog.measure { note(element, for: cursor, backlog, measure) }
    guard cursor.isReady else { return }
    // It may have become ready just now. Running it may release it, also from its slot.
    let strong = Unmanaged.passRetained(cursor)
    run(cursor)
    strong.release()
    // The pass goes on.
    signals.replayIsStable.store(true, ordering: .releasing)
  }

  /// Notes that a value has gone by which a receiver would have taken that waits for a start.
  func noteGone(_ selection: Selection<Element>) {
    selection.wait.gone &+= 1
    guard retention.starting.headers != nil else { return }
    selection.wait.positions.append(acceptedCount &- 1)
    guard selection.wait.positions.count > selection.wait.limit else { return }
    let known = Set(headers(before: retention.log.end).map { $0.place })
    selection.wait.positions.removeAll { !known.contains($0) }
    selection.wait.limit = max(64, 2 &* selection.wait.positions.count)
  }

  /// Gives a newcomer that takes only some values what it takes of the replay at the place where it joins.
  ///
  /// - Parameters:
  ///   - place: The place, which is not behind a known value any more (`resolve(_:)`).
  ///   - cursor: The cursor.
  ///   - backlog: The backlog of the cursor.
  @inline(never)
  func giveSelected(
    _ place: JoinPlace<Element>, to cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    guard let selection = backlog.selection else { return }
    // The last values are those that it takes, or all behind the one that it knows.
    var (count, wanted): (Int?, Int?) = (nil, nil)
    if case .last(let last) = place {
      if backlog.place.isKnown != nil { count = last } else { wanted = last }
    }
    let offLog = retention.starting.offLog
    let first = retention.log.start
    var headers: [OfferedHeader<Element>] = []
    var values: [(position: Int, value: Element)] = []
    if rules.mode == .log {
      values = retention.log.cachedValues.enumerated()
        .map { (first &+ offLog &+ $0.offset, $0.element) }
    } else {
      let front = retention.cache?.headers?().count ?? 0
      let contents = replayContents()
      headers = contents.prefix(front).map { (0, 0, $0) }
      values = contents.dropFirst(front).map { (0, $0) }
    }
    var isHanded = !values.isEmpty
    if let count {
      values = values.suffix(count)
      isHanded = count > 0
    }
    let looked = values.first?.position ?? acceptedCount
    var taken = values.filter { selection.selects($0.value) }
    selection.takesNewest = !taken.isEmpty && taken.last?.position == values.last?.position
    let positions = Set(taken.map { $0.position })
    var start = looked
    if let wanted {
      taken = taken.suffix(wanted)
      start = taken.first?.position ?? acceptedCount
    }
    if rules.mode == .log {
      headers = self.headers(before: start &- offLog).map { ($0.place, $0.place, $0.value) }
    }
    // It has looked at those headers that are values of the replay.
    headers = headers.filter {
      rules.mode == .log && $0.position >= looked
        ? positions.contains($0.position) : selection.selects($0.value)
    }
    give(headers, to: cursor, backlog)
    for value in taken { backlog.append(value.value, at: value.position) }
    if backlog.count > 0 { setBehind(cursor, true) }
    // No other receiver gets what the first one could take.
    if isHanded, rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Gives headers that it takes to a receiver.
  func give(
    _ headers: [OfferedHeader<Element>], to cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    guard !headers.isEmpty else { return }
    for header in headers {
      backlog.append(
        header.value, at: header.position, isInFront: true,
        counts: backlog.headers.counts(header.old))
    }
    setBehind(cursor, true)
  }

  /// Gives a receiver that takes only some values, and waits for a start, the headers that it lacks and takes.
  ///
  /// - Parameters:
  ///   - isStart: Whether its wait is over. Otherwise the headers come from before a clear, and it goes on waiting.
  ///   - cursor: The cursor.
  ///   - backlog: The backlog.
  ///   - selection: The selection.
  ///   - copies: The place and the former positions of the headers that were copied into the log, if they were.
  @inline(never)
  func giveSelectedHeaders(
    atStart isStart: Bool, to cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>, _ selection: Selection<Element>,
    copies: (place: Int, positions: [Int])?
  ) {
    var offered: [OfferedHeader<Element>] = []
    if let copies {
      let newest = retention.starting.headers?.contents(.min) ?? []
      let position = copies.place &+ retention.starting.offLog
      for (index, old) in copies.positions.enumerated() {
        guard let copy = newest.first(where: { $0.place == position &+ index }) else { continue }
        offered.append((old, copy.place, copy.value))
      }
    } else {
      offered = (retention.starting.headers?.contents(backlog.wait.headersFrom) ?? [])
        .map { ($0.place, $0.place, $0.value) }
    }
    let taken = offered.filter { selection.takesHeader($0.value, at: $0.old) }
    let isReplay = backlog.count <= backlog.ownReplayCount
    let missed = selection.wait.missed(given: taken.count { backlog.headers.counts($0.old) })
    if isStart { backlog.miss(missed, behind: backlog.count) }
    give(taken, to: cursor, backlog)
    noteHeaders(taken.count, isReplay: isReplay, for: cursor, backlog)
    let needsKeyframe = backlog.wait.needsKeyframe
    backlog.wait = StartWait()
    selection.beginWait(at: acceptedCount)
    guard !isStart else { return }
    backlog.wait = StartWait(
      from: acceptedCount, headersFrom: acceptedCount, needsKeyframe: needsKeyframe)
    selection.wait.gone = missed
  }

  /// Lets a receiver that takes only some values go on where a newcomer would start, if that lies ahead.
  @inline(never)
  func rejoinSelected(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ selection: Selection<Element>
  ) {
    switch rules.mode {
    case .log: rejoinSelectedInLog(cursor, backlog, selection)
    case .newest:
      // Those of a closed connection are owed until there is a newest value.
      let isCached = retention.newestIsCached
      guard isCached || mayStartBehindClear(backlog, selection) else { return }
      let waiting = backlog.count
      keep(in: cursor, backlog) { isCached && $0 == waiting &- 1 && selection.takesNewest }
      backlog.setReplayCount(0)
      backlog.miss(waiting &- backlog.count)
      backlog.rejoins &+= 1
    case .lossy, .custom:
      if let cache = retention.cache, cache.isSnapshot {
        return startAgain(cursor, backlog, selection, from: cache)
      }
      let replay = backlog.ownReplayCount
      let live = backlog.count &- replay
      guard live > 0 else { return }
      backlog.rejoins &+= 1
      backlog.missOldest(live, behind: replay)
      keep(in: cursor, backlog) { $0 < replay }
      backlog.setReplayCount(replay)
    }
  }

  /// Gives a receiver what it takes of the contents of a cache, in place of everything that waits.
  func startAgain(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ selection: Selection<Element>, from cache: CustomCache<Element>
  ) {
    // If only contents wait, they are the newest.
    guard backlog.count > backlog.ownReplayCount else { return }
    let contents = cache.contents()
    guard !contents.isEmpty else { return }
    let taken = contents.filter(selection.selects)
    backlog.rejoins &+= 1
    backlog.miss(backlog.count)
    keep(in: cursor, backlog) { _ in false }
    backlog.measure?.meter.keepLast(0)
    for element in taken {
      backlog.append(element, at: 0)
      backlog.measure?.meter.append(element)
    }
    backlog.setReplayCount(0)
    if backlog.count > 0 { setBehind(cursor, true) }
  }

  func rejoinSelectedInLog(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ selection: Selection<Element>
  ) {
    let entries = Array(selection.entries(from: backlog.log.head))
    let replay = backlog.ownReplayCount
    let newest = Set(
      (retention.starting.headers?.contents(retention.starting.clearedAt) ?? []).map { $0.place })
    if retention.starting.availability == .exceeded {
      return awaitSelected(cursor, backlog, selection, entries, newest)
    }
    let start = retention.log.start &+ retention.starting.offLog
    let startsBehind = rules.limit == 0 || rules.keepsUndelivered
    guard
      retention.log.cachedCount > 0 || startsBehind || mayStartBehindClear(backlog, selection)
    else { return }
    let keepsReplay = rules.keepsUndelivered && replay > 0
    let first = (startsBehind ? entries.dropFirst(replay) : entries[...]).first { !$0.isInFront }
    guard let first, first.position < start else { return }
    backlog.rejoins &+= 1
    let isKept = entries.enumerated().map { index, entry in
      entry.position >= start || newest.contains(entry.position) || keepsReplay && index < replay
    }
    let missed = entries.indices.count { !isKept[$0] && entries[$0].counts }
    if keepsReplay {
      backlog.missOldest(missed, behind: replay)
    } else {
      backlog.missed &+= missed
      let told = backlog.notices?.replayLeft ?? 0
      backlog.notices?.startAnew(
        missing: missed, fewer: isKept.count { !$0 }, keeping: isKept.prefix(told).count { $0 })
    }
    if let measure = backlog.measure {
      // What was a part of its replay has no measure yet.
      let unmeasured = backlog.count &- measure.meter.count
      let others = (0..<(keepsReplay ? 0 : unmeasured)).filter { isKept[$0] }
      measure.meter.keep(behind: others.map { backlog.log.value(at: backlog.log.head &+ $0) }) {
        isKept[unmeasured &+ $0]
      }
    }
    keep(in: cursor, backlog) { isKept[$0] }
    selection.entries = entries.indices.filter { isKept[$0] }.map { index in
      var entry = entries[index]
      if entry.position < start, !(keepsReplay && index < replay) { entry.isInFront = true }
      return entry
    }
    backlog.setReplayCount(keepsReplay ? replay : 0)
  }

  /// Returns whether too much waits of the current connection: the values of one that has closed are owed until then.
  func owesEnoughOfConnection(
    _ backlog: LimitedBacklog<Element, End>, _ selection: Selection<Element>
  ) -> Bool {
    let opened = retention.starting.openedPosition
    let live = selection.entries(from: backlog.log.head).dropFirst(backlog.ownReplayCount)
    let count = live.count { $0.position >= opened }
    return count > backlog.policy.count || backlog.measure?.meter.isOver(last: count) == true
  }

  /// Returns whether a receiver that takes only some values may go on behind everything, as any other.
  func mayStartBehindClear(
    _ backlog: LimitedBacklog<Element, End>, _ selection: Selection<Element>
  ) -> Bool {
    isCleared && owesEnoughOfConnection(backlog, selection)
  }

  /// Drops all that waits for a receiver that takes only some values, because newcomers wait for a start, and lets it
  /// wait too.
  func awaitSelected(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ selection: Selection<Element>, _ entries: [Selection<Element>.Entry], _ newest: Set<Int>
  ) {
    guard owesEnoughOfConnection(backlog, selection) else { return }
    backlog.rejoins &+= 1
    let pending = entries.filter { newest.contains($0.position) }
    let counted = pending.count { $0.counts }
    let waiting = backlog.count
    let missed = entries.count { $0.counts } &- counted
    let isReplay = pending.count { backlog.headers.isReplay($0.position) }
    let first = entries.first?.position ?? acceptedCount
    keep(in: cursor, backlog) { _ in false }
    backlog.setReplayCount(0)
    if !cursor.awaitsStart {
      awaitStart(cursor, headersFrom: max(first, retention.starting.clearedAt))
      // It has looked at all that lies behind.
      selection.wait.from = .min
    }
    selection.wait.pending &+= counted
    selection.wait.positions += pending.map { $0.position }
    backlog.notices?.dropReplay(without: isReplay)
    backlog.miss(missed, fewer: waiting)
  }

  /// Keeps those of a receiver's own values whose numbers match, and releases the others.
  func keep(
    in cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ isKept: (Int) -> Bool
  ) {
    let kept = ValueQueue<Element>()
    let dropped = ValueQueue<Element>()
    var index = 0
    while let element = backlog.popFirst() {
      if isKept(index) { kept.append(element) } else { dropped.append(element) }
      index &+= 1
    }
    backlog.swapValues(with: kept)
    backlog.selection?.entries = []
    backlog.selection?.firstIndex = backlog.log.head
    if backlog.count == 0, !cursor.receivesNotices { setBehind(cursor, false) }
    withExtendedLifetime(dropped) {}
  }

  /// Returns whether any attached receiver would take a value: one without a selection takes every value.
  ///
  /// Any thread may call it. It calls the closures of selections with no lock held.
  package func hasReceiver(selecting element: Element) -> Bool {
    if signals.plainReceivers.load(ordering: .acquiring) > 0 { return true }
    let (selections, hasLoops) = withInbox { inbox in
      (Array(inbox.selections.members), inbox.pullLog?.cursors.isEmpty == false)
    }
    return hasLoops || selections.contains { $0.selects(element) }
  }
}
