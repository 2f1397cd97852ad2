// Invariant: everything here is called under the lock of the hub's inbox.

extension PullLog {
  /// Looks at each cursor with a place in the log for which more values may wait than its limit
  /// allows, and tells the observer what is new.
  @inline(never)
  func keepWithinLimits(_ served: inout DeferredWork) {
    limitedEnd = .max
    cursors.forEach { if $0.chunk != nil { keepNewest($0, &served) } }
    guard observer != nil else { return }
    // Each value comes by here.
    limitedEnd = .min
    cursors.forEach { if report($0) { served.rest.userCalls.append(.observer) } }
  }

  /// Notes up to which end of the log a cursor with a place in it has no more waiting values than
  /// its limit.
  func noteLimit(of cursor: PullCursor<Element, End>) {
    guard !cursor.isHeld else { return }
    let limit = cursor.terms?.policy.count ?? .max
    let room = limit &- countedReplay(of: cursor)
    limitedEnd = min(limitedEnd, room > Int.max &- cursor.index ? .max : cursor.index &+ room)
  }

  /// Returns the number of values of a cursor's replay that its limit counts.
  ///
  /// What a newcomer starts with is reserved for it, unless it only wants the newest values.
  private func countedReplay(of cursor: PullCursor<Element, End>) -> Int {
    cursor.terms?.policy.countsReplay == true ? cursor.replayCount : 0
  }

  /// Keeps no more of the newest values waiting for a cursor with a place in the log than its limit
  /// allows.
  private func keepNewest(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard cursor.isLimited, !cursor.isHeld, let terms = cursor.terms, !terms.isCollecting
    else { return }
    let counted = countedReplay(of: cursor)
    let excess = counted &+ count(cursor) &- terms.policy.count
    if excess > 0 {
      terms.miss(excess)
      copyReplay(of: cursor, &served)
      for place in 0..<excess {
        guard let element = place < counted ? cursor.takeOwn() : take(cursor) else { break }
        served.rest.skip(element)
      }
    }
    if cursor.chunk != nil { noteLimit(of: cursor) }
  }

  /// Copies what is left of a cursor's replay in the hub's log, which need not keep the values
  /// behind it then.
  private func copyReplay(of cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard cursor.replay != nil else { return }
    let copies = ValueQueue<Element>()
    while cursor.replayCount > 0, let element = cursor.takeOwn() { copies.append(element) }
    if let taken = cursor.backlog { served.rest.objects.append(taken) }
    cursor.backlog = copies
    cursor.replayCount = copies.count
    cursor.attend(&served)
  }
}

extension PullLog {
  /// Collects a value for a cursor and applies the policy; returns false if the cursor misses the
  /// value.
  func collect(
    _ element: Element, _ arrival: Arrival, for cursor: PullCursor<Element, End>,
    _ terms: LimitedBacklog<Element, End>, _ served: inout DeferredWork
  ) -> Bool {
    guard !terms.hasEnd else { return false }
    guard !cursor.isHeld else {
      hold(element, arrival, for: cursor)
      return true
    }
    if let from = terms.wait.from {
      guard let start = arrival.start, start.kind == .available || start.openedAt >= from
      else { return false }
      terms.endWait(at: arrival.position)
    }
    terms.append(element, Entry(at: arrival.position))
    terms.measure?.noteArrival(of: element, costing: arrival.cost)
    // What a call waits for does not wait itself.
    if cursor.waiting == 0 { keepWithinLimit(cursor, at: arrival, &served) }
    return true
  }

  /// Keeps a value for a cursor that can take nothing yet.
  @inline(never)
  private func hold(
    _ element: Element, _ arrival: Arrival, for cursor: PullCursor<Element, End>
  ) {
    let held = cursor.held ?? ValueQueue()
    cursor.held = held
    held.append(PendingValue(element: element, arrival: arrival))
  }

  /// Applies the policy of a cursor to the values that it collects; `arrival` is nil if the newest
  /// has come before.
  func keepWithinLimit(
    _ cursor: PullCursor<Element, End>, at arrival: Arrival? = nil, _ served: inout DeferredWork
  ) {
    guard !cursor.isHeld, let terms = cursor.terms, terms.isCollecting, !terms.hasEnd
    else { return }
    let live = terms.count
    if live == 0, terms.measure == nil { return }
    if live == 0, let ended = terms.endConflation() { served.rest.objects.append(ended) }
    if terms.isOver(live), terms.measure?.patience?.isOver != false {
      collectReplay(of: cursor, terms, &served)
    }
    let result = terms.keepWithinLimit(live: live, nil, to: served.rest.released())
    if result.isToRejoin {
      // A wait may have ended just now.
      collectReplay(of: cursor, terms, &served)
      let start = arrival?.start ?? starts.start(before: log.end)
      rejoin(cursor, terms, at: start, behind: arrival?.position ?? log.end &- 1, &served)
    }
    if requestsStarts { noteLack(of: cursor, terms, &served) }
    if let epoch = terms.noteRoom() ?? result.epoch, let patience = terms.measure?.patience {
      served.rest.userCalls.append(.beginTime(patience.timer, patience, epoch))
    }
    if terms.hasEnd { served.rest.userCalls.append(.makeEnd(cursor)) }
    if result.isToConflate, terms.unconflatedCount > 0 {
      served.rest.userCalls.append(.conflate(cursor))
    }
  }

  /// Moves what is left of a cursor's replay in front of the values that it collects.
  func collectReplay(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>,
    _ served: inout DeferredWork
  ) {
    guard cursor.replayCount > 0 else { return }
    var values: [Element] = []
    while cursor.replayCount > 0, let element = cursor.takeOwn() { values.append(element) }
    terms.prepend(values[...], at: terms.joinedAt &- values.count)
    if terms.policy.countsReplay { terms.endReserve() }
    cursor.attend(&served)
  }

  /// Begins with a cursor whose replay is known.
  func begin(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard let terms = cursor.terms else { return }
    guard terms.isCollecting else { return keepNewest(cursor, &served) }
    guard terms.policy.countsReplay else { return }
    collectReplay(of: cursor, terms, &served)
    keepWithinLimit(cursor, &served)
  }
}

extension PullLog {
  /// Lets a cursor for which too much waits go on where newcomers start, if that lies ahead of its
  /// place, or wait for the next start behind the position of the newest value that it has got.
  func rejoin(
    _ cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>,
    at start: NewcomerStart, behind position: Int, _ served: inout DeferredWork
  ) {
    let restart = start.restart(
      from: terms.entries.next?.position, ifLacking: terms.lacksEnough(openedAt: start.openedAt))
    switch restart {
    case nil: return
    case .behindReplay: terms.dropLive(to: served.rest.released())
    case .at(let place): terms.restart(at: place, to: served.rest.released())
    case .waiting:
      terms.restart(at: .max, to: served.rest.released())
      terms.wait.from = position &+ 1
    }
  }

  /// Notes whether a cursor waits for a start, or has too many values and no start ahead.
  func noteLack(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>,
    _ served: inout DeferredWork
  ) {
    guard seeksStarts, terms.policy.isRejoining else { return }
    let isTooSlow = terms.isOver(terms.count) && terms.measure?.patience?.isOver != false
    setLack(of: cursor, terms, terms.wait.from != nil || isTooSlow, &served)
  }

  /// Sets whether a cursor lacks a start, and has the holder of the drain look at that.
  func setLack(
    of cursor: PullCursor<Element, End>, _ terms: LimitedBacklog<Element, End>, _ lacksStart: Bool,
    _ served: inout DeferredWork
  ) {
    guard lacksStart != terms.lacksStart else { return }
    terms.lacksStart = lacksStart
    lackingStart &+= lacksStart ? 1 : -1
    cursor.attend(&served)
  }

  /// Notes that a connection begins or closes.
  func noteConnection(opening: Bool) {
    starts.noteConnection(opening: opening, at: log.end)
    if opening { endAwaiting() }
  }

  /// Lets the loops that wait for a start wait no longer, because it comes or none does any more,
  /// and tells them what they have missed.
  @inline(never)
  func endAwaiting() {
    cursors.forEach { $0.terms?.endWait(at: log.end) }
  }
}

extension PullLog {
  /// Returns the number of values for which a loop has room that limits what the upstream is asked
  /// for.
  func room(of cursor: PullCursor<Element, End>) -> Int {
    let room = cursor.size &- waitingCount(cursor) &+ cursor.replayCount
    guard cursor.isLimited, let terms = cursor.terms else { return room }
    return room &+ terms.reservedCount
  }

  /// Returns whether a loop has a full backlog and holds the upstream back without a limit of time;
  /// the look begins at the one that was found last.
  func hasFullBacklog() -> Bool {
    let last = min(fullPlace, cursors.placeCount)
    for places in [last..<cursors.placeCount, 0..<last] {
      for place in places {
        guard let cursor = cursors.member(at: place), cursor.size > 0,
          cursor.terms?.policy.patience == nil, room(of: cursor) <= 0
        else { continue }
        fullPlace = place
        return true
      }
    }
    isHeldBack = false
    return false
  }
}
