// Invariant: everything here is called under the lock of the hub's inbox, and takes the lock of a batch under it.

extension PullLog {
  /// Whether more values than one of the limits allows may wait for a cursor.
  var isAtLimit: Bool { log.end > limitedEnd || costs.map { $0.room < 0 } == true }

  /// Drops what waits for each cursor beyond its limit.
  ///
  /// Every cursor has its place by then, so that the log gives up nothing that another one lacks.
  @inline(__always)
  func keepWithinLimits(_ served: inout DeferredWork) {
    if isAtLimit { keepFullWithinLimits(&served) }
    // Perhaps no cursor has taken the newest value.
    while let element = log.takeForgotten(before: .max) { served.rest.skip(element) }
  }

  @inline(never)
  func keepFullWithinLimits(_ served: inout DeferredWork) {
    limitedEnd = .max
    costs?.room = .max
    // A copy: a loop that is ended leaves.
    let cursors = cursors
    for place in 0..<cursors.placeCount {
      guard let cursor = cursors.member(at: place), cursor.isLimited, cursor.chunk != nil else {
        continue
      }
      keepWithinLimit(cursor, &served)
    }
    guard observer != nil else { return }
    // Each value comes by here.
    limitedEnd = .min
    cursors.forEach { if report($0) { served.rest.userCalls.append(.observer) } }
  }

  /// Notes up to which end of the log a cursor with a place in it has no more waiting values than its limit.
  func noteLimit(of cursor: PullCursor<Element, End>) {
    // With the next start every loop is looked at.
    guard !cursor.isJoining, !isStarved(cursor) else { return }
    let counted = countsReplay(cursor) ? cursor.replayCount : 0
    let room = cursor.lookedAtLimit &- cursor.held &- counted
    limitedEnd = min(limitedEnd, room > Int.max &- cursor.index ? .max : cursor.index &+ room)
    if cursor.isMeasured { costs?.noteRoom(from: cursor.index &- cursor.held) }
  }

  /// Whether nothing changes for a cursor with too many values until there is a start ahead.
  func isStarved(_ cursor: PullCursor<Element, End>) -> Bool {
    guard let terms = cursor.terms, terms.seeksStart, liveCount(cursor) > cursor.limit,
      terms.lacksStart || !requestsStarts
    else { return false }
    return starts?.latest?.kind != .cleared
  }

  /// Whether the replay of a cursor is among the values that its limit counts.
  ///
  /// What a newcomer starts with is owed to it, unless it only wants the newest values.
  func countsReplay(_ cursor: PullCursor<Element, End>) -> Bool {
    cursor.terms?.policy.countsReplay == true
  }

  /// Drops what waits for a cursor beyond its limit, as its terms say.
  ///
  /// - Parameters:
  ///   - cursor: The cursor.
  ///   - isFirst: Whether its replay has just become known.
  ///   - served: The work to do after the unlock.
  func keepWithinLimit(
    _ cursor: PullCursor<Element, End>, isFirst: Bool = false,
    _ served: inout DeferredWork
  ) {
    guard cursor.isLimited, !cursor.isJoining else { return }
    defer {
      if requestsStarts { noteLack(of: cursor, &served) }
      if cursor.chunk != nil { noteLimit(of: cursor) }
    }
    let known = (countsReplay(cursor) ? cursor.replayCount : 0) &+ count(cursor)
    guard known &+ cursor.held > cursor.lookedAtLimit || costlyCount(of: cursor) > 0 else { return }
    cursor.withBatch { batch in
      cursor.note(batch)
      var excess = max(known &+ cursor.held &- cursor.limit, costlyCount(of: cursor))
      if let terms = cursor.terms, let patience = terms.patience {
        let arrived = log.end &- terms.knownEnd
        // What a call waits for does not wait itself.
        let live = known &+ cursor.held &- (cursor.waiting > 0 ? 1 : 0)
        lookAtWait(terms, patience, live: live, &batch, &served)
        guard patience.isOver, arrived > 0 else { return }
        // What was let in before the time was over stays.
        if terms.keepsOldest { excess = min(excess, arrived) }
      }
      guard excess > 0 else { return }
      copyReplay(of: cursor, &served)
      defer { cursor.terms.map { $0.knownCount = liveCount(cursor) } }
      if let terms = cursor.terms, terms.keepsOldest {
        keepOldest(cursor, terms, dropping: excess, &batch, &served)
      } else if let terms = cursor.terms, let count = terms.restartCount {
        rejoin(cursor, terms, atLast: count, &batch, &served)
      } else if let terms = cursor.terms, terms.policy.isRejoining {
        rejoinAtStart(cursor, terms, isFirst: isFirst, &batch, &served)
      } else if let terms = cursor.terms, let rule = terms.policy.conflation {
        conflate(cursor, terms, by: rule, &batch, &served)
      } else {
        dropOldest(
          excess, of: cursor, withReplay: countsReplay(cursor), &batch, &served)
      }
    }
  }

  /// Copies what is left of a cursor's replay in the hub's log, which need not keep the dropped values behind it then.
  func copyReplay(
    of cursor: PullCursor<Element, End>, _ served: inout DeferredWork
  ) {
    guard cursor.replay != nil else { return }
    let copies = ValueQueue<Element>()
    while let element = cursor.takeReplay() { copies.append(element) }
    if let taken = cursor.backlog { served.rest.objects.append(taken) }
    cursor.backlog = copies
    cursor.replayCount = copies.count
    guard !cursor.isPinNoted else { return }
    cursor.isPinNoted = true
    served.unpin(cursor)
  }

  /// Returns how many of the oldest values that wait for a cursor, without its replay, have to go because of what they
  /// cost.
  ///
  /// What a call waits for does not wait itself.
  func costlyCount(of cursor: PullCursor<Element, End>) -> Int {
    guard cursor.isMeasured, cursor.chunk != nil, cursor.waiting == 0, let costs else { return 0 }
    return costs.excess(from: cursor.index &- cursor.held)
  }

  /// Drops the oldest values that wait for a cursor, those of its replay too or only those behind it.
  func dropOldest(
    _ excess: Int, of cursor: PullCursor<Element, End>, withReplay: Bool,
    _ batch: inout PullBatch<Element>, _ served: inout DeferredWork
  ) {
    cursor.missed &+= excess
    var asked: Element?
    if batch.isFirstAsked { asked = batch.values.popLast() ?? take(cursor) }
    if cursor.terms != nil {
      let replay = asked != nil ? 1 : withReplay ? 0 : cursor.replayCount
      if replay > 0 {
        batch.notices?.drop(excess, behind: replay)
      } else {
        batch.notices?.miss(excess, fewer: excess)
      }
    }
    for _ in 0..<excess {
      if withReplay, let element = cursor.takeReplay() {
        served.rest.skip(element)
      } else if let element = batch.values.popLast() ?? take(cursor) {
        served.rest.skip(element)
      }
    }
    if let asked { batch.values.append(asked) }
    cursor.note(batch)
  }

  /// Lets the oldest values wait for a cursor apart from the others, and drops those behind them.
  ///
  /// The pull log need not keep what lies behind them then.
  func keepOldest(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, dropping excess: Int,
    _ batch: inout PullBatch<Element>, _ served: inout DeferredWork
  ) {
    let rest = count(cursor) &- excess
    if rest > 0 {
      let kept = ValueQueue<Element>()
      while kept.count < rest, let element = take(cursor) { kept.append(element) }
      while let element = take(cursor) { served.rest.skip(element) }
      terms.kept = kept
    } else {
      while let element = take(cursor) { served.rest.skip(element) }
    }
    cursor.missed &+= excess
    batch.notices?.miss(
      excess, behind: cursor.replayCount &+ batch.values.count &+ max(rest, 0))
    guard terms.ending != nil else { return }
    terms.isEnding = true
    served.rest.userCalls.append(.makeEnd(cursor))
  }

  /// Leaves a value for a cursor whose values wait apart from the others, if there is room for it.
  func leave(
    _ element: Element, apart cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    _ served: inout DeferredWork
  ) {
    if terms.awaitsStart {
      cursor.missed &+= 1
      terms.missedAwaiting &+= 1
      return
    }
    if let conflation = terms.conflation {
      conflation.add(element)
      if !conflation.isConflating { served.rest.userCalls.append(.conflate(cursor)) }
      return
    }
    guard !terms.isEnding, let kept = terms.kept else { return }
    if let patience = terms.patience {
      return leave(element, in: kept, apart: cursor, terms, patience, &served)
    }
    guard kept.count &+ cursor.held >= cursor.limit else { return kept.append(element) }
    cursor.withBatch { batch in
      cursor.note(batch)
      guard kept.count &+ cursor.held >= cursor.limit else { return kept.append(element) }
      cursor.missed &+= 1
      batch.notices?.miss(1, behind: cursor.replayCount &+ kept.count &+ batch.values.count)
    }
  }
}
