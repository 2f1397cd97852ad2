// Invariant: everything here is called under the lock of the hub's inbox.

extension PullLog {
  /// Looks at each cursor with a place in the log for which more values may wait than its limit allows, and tells the
  /// observer what is new.
  @inline(never)
  func keepWithinLimits(_ served: inout DeferredWork) {
    limitedEnd = .max
    cursors.forEach { if $0.chunk != nil { keepNewest($0, &served) } }
    guard observer != nil else { return }
    // Each value comes by here.
    limitedEnd = .min
    cursors.forEach { if report($0) { served.rest.userCalls.append(.observer) } }
  }

  /// Notes up to which end of the log a cursor with a place in it has no more waiting values than its limit.
  func noteLimit(of cursor: PullCursor<Element, End>) {
    guard !cursor.isHeld else { return }
    let room = cursor.limit &- countedReplay(of: cursor)
    limitedEnd = min(limitedEnd, room > Int.max &- cursor.index ? .max : cursor.index &+ room)
  }

  /// Returns the number of values of a cursor's replay that its limit counts.
  ///
  /// What a newcomer starts with is reserved for it, unless it only wants the newest values.
  private func countedReplay(of cursor: PullCursor<Element, End>) -> Int {
    cursor.terms?.policy.countsReplay == true ? cursor.replayCount : 0
  }

  /// Keeps no more of the newest values waiting for a cursor with a place in the log than its limit allows.
  private func keepNewest(_ cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard cursor.isLimited, !cursor.isHeld, let terms = cursor.terms, !terms.isCollecting
    else { return }
    let counted = countedReplay(of: cursor)
    let excess = counted &+ count(cursor) &- cursor.limit
    if excess > 0 {
      terms.miss(excess)
      copyReplay(of: cursor, &served)
      for place in 0..<excess {
        if place < counted, let element = cursor.takeOwn() {
          served.rest.skip(element)
        } else if let element = take(cursor) {
          served.rest.skip(element)
        }
      }
    }
    if cursor.chunk != nil { noteLimit(of: cursor) }
  }

  /// Copies what is left of a cursor's replay in the hub's log, which need not keep the values behind it then.
  private func copyReplay(of cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard cursor.replay != nil else { return }
    let copies = ValueQueue<Element>()
    while cursor.replayCount > 0, let element = cursor.takeOwn() { copies.append(element) }
    if let taken = cursor.backlog { served.rest.objects.append(taken) }
    cursor.backlog = copies
    cursor.replayCount = copies.count
    noteUnpinning(of: cursor, &served)
  }

  /// Has the holder of the drain look at a cursor's place in the hub's log, and at what it needs of the upstream.
  func noteUnpinning(of cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    guard !cursor.isPinNoted else { return }
    cursor.isPinNoted = true
    served.unpin(cursor)
  }
}

extension PullLog {
  /// Collects a value for a cursor and applies the policy; returns false if the cursor misses the value.
  func collect(
    _ element: Element, _ arrival: Arrival, for cursor: PullCursor<Element, End>,
    _ terms: LimitedBacklog<Element, End>, _ served: inout DeferredWork
  ) -> Bool {
    guard !terms.hasEnd else { return false }
    guard !cursor.isHeld else {
      let held = cursor.held ?? HeldValues()
      cursor.held = held
      held.append(element)
      held.arrivals.append(arrival)
      return true
    }
    if cursor.awaitsStart {
      guard let start = arrival.start,
        start.kind == .available || start.openedAt >= terms.wait.from
      else { return false }
      endWait(of: cursor, terms, at: arrival.position)
    }
    terms.append(element, Entry(at: arrival.position))
    terms.measure?.noteArrival(costing: arrival.cost)
    // What a call waits for does not wait itself.
    if cursor.waiting == 0 { keepWithinLimit(cursor, at: arrival, &served) }
    return true
  }

  /// Applies the policy of a cursor to the values that it collects.
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - arrival: The newest value, or nil if it has come before.
  ///   - served: The work to do after the unlock.
  func keepWithinLimit(
    _ cursor: PullCursor<Element, End>, at arrival: Arrival? = nil, _ served: inout DeferredWork
  ) {
    guard !cursor.isHeld, let terms = cursor.terms, terms.isCollecting, !terms.hasEnd
    else { return }
    let live = terms.ownLiveCount
    if live == 0, let ended = terms.endConflation() { served.rest.objects.append(ended) }
    if terms.isOver(live) { collectReplay(of: cursor, terms, &served) }
    var result = terms.keepWithinLimit(live: live, nil, to: served.rest.released())
    if result.isToRejoin {
      let start = arrival?.start ?? starts.start(before: log.end)
      rejoin(cursor, terms, at: start, behind: arrival?.position ?? log.end &- 1, &served)
    }
    terms.noteRoom(&result)
    if requestsStarts { noteLack(of: cursor, terms, &served) }
    if let epoch = result.epoch, let patience = terms.measure?.patience {
      served.rest.userCalls.append(.beginTime(patience.timer, patience, epoch))
    }
    if result.isToEnd { served.rest.userCalls.append(.makeEnd(cursor)) }
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
    let first = terms.joinedAt &- cursor.replayCount
    var values: [Element] = []
    while cursor.replayCount > 0, let element = cursor.takeOwn() { values.append(element) }
    terms.prepend(
      values[...], values.indices.map { Entry(at: first &+ $0, isReplayed: true) })
    if terms.policy.countsReplay { terms.setReservedCount(0) }
    noteUnpinning(of: cursor, &served)
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
