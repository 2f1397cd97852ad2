// Every function here is called by the holder of the drain, but for `hasReceiver(selecting:)`. They
// call the closure of a selection, which is user code, when the cursor and the log are consistent.

internal import Synchronization

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
      if backlog.policy.count == 0 { return backlog.miss(1) }
    }
    collect(element, for: cursor, backlog)
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

  /// Collects for a newcomer what it takes of the replay at the place where it joins, and the
  /// headers in front of that.
  ///
  /// - Parameters:
  ///   - place: The place, which is not behind a known value any more (`resolve(_:)`).
  ///   - cursor: The cursor.
  ///   - backlog: The backlog of the cursor.
  @inline(never)
  func collectReplay(
    at place: JoinPlace<Element>, for cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    let selects = backlog.selection?.selects ?? { _ in true }
    // The last values are those that it takes, or all behind the one that it knows.
    var (count, wanted): (Int?, Int?) = (nil, nil)
    if case .last(let last) = place {
      if backlog.place.isKnown != nil { count = last } else { wanted = last }
    }
    let offLog = retention.starting.offLog
    let first = retention.log.start
    var headers: [(place: Int, value: Element)] = []
    var values: [(position: Int, value: Element)] = []
    if rules.mode == .log {
      values = retention.log.cachedValues.enumerated()
        .map { (first &+ offLog &+ $0.offset, $0.element) }
    } else {
      let front = retention.cache?.headers?().count ?? 0
      let contents = replayContents()
      headers = contents.prefix(front).map { (.min, $0) }
      values = contents.dropFirst(front).map { (.min, $0) }
    }
    var isHanded = !values.isEmpty
    if let count {
      values = values.suffix(count)
      isHanded = count > 0
    }
    let looked = values.first?.position ?? acceptedCount
    var taken = values.filter { selects($0.value) }
    let positions = Set(taken.map { $0.position })
    var start = looked
    if let wanted {
      taken = taken.suffix(wanted)
      start = taken.first?.position ?? acceptedCount
    }
    if rules.mode == .log { headers = self.headers(before: start &- offLog) }
    // It has looked at those headers that are values of the replay.
    headers = headers.filter {
      rules.mode == .log && $0.place >= looked
        ? positions.contains($0.place) : selects($0.value)
    }
    for header in headers {
      backlog.append(header.value, Entry(at: header.place, isReplayed: true, isInFront: true))
    }
    for value in taken { backlog.append(value.value, Entry(at: value.position, isReplayed: true)) }
    if backlog.count > 0 { setBehind(cursor, true) }
    // No other receiver gets what the first one could take.
    if isHanded, rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Returns whether any attached receiver would take a value: one without a selection takes every
  /// value.
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
