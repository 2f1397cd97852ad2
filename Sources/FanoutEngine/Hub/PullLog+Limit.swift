// Invariant: everything here is called under the lock of the hub's inbox.

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
    let room = cursor.lookedAtLimit &- counted
    limitedEnd = min(limitedEnd, room > Int.max &- cursor.index ? .max : cursor.index &+ room)
    if cursor.isMeasured { costs?.noteRoom(from: cursor.index) }
  }

  /// Whether nothing changes for a cursor with too many values until there is a start ahead.
  func isStarved(_ cursor: PullCursor<Element, End>) -> Bool {
    guard let terms = cursor.terms, terms.seeksStart, count(cursor) > cursor.limit,
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
    guard cursor.isLimited, !cursor.isJoining, let terms = cursor.terms else { return }
    defer {
      if requestsStarts { noteLack(of: cursor, &served) }
      if cursor.chunk != nil { noteLimit(of: cursor) }
    }
    let known = (countsReplay(cursor) ? cursor.replayCount : 0) &+ count(cursor)
    var excess = max(known &- cursor.limit, costlyCount(of: cursor))
    if let patience = terms.patience, known > cursor.lookedAtLimit {
      let arrived = log.end &- terms.knownEnd
      // What a call waits for does not wait itself.
      lookAtWait(terms, patience, live: known &- (cursor.waiting > 0 ? 1 : 0), &served)
      guard patience.isOver, arrived > 0 else { return }
      // What was let in before the time was over stays.
      if terms.keepsOldest { excess = min(excess, arrived) }
    }
    guard excess > 0 else { return }
    copyReplay(of: cursor, &served)
    defer {
      terms.knownCount = count(cursor)
      // It may have room again.
      if let patience = terms.patience {
        lookAtWait(terms, patience, live: terms.knownCount, &served)
      }
    }
    if terms.keepsOldest {
      keepOldest(cursor, terms, dropping: excess, &served)
    } else if let count = terms.restartCount {
      rejoin(cursor, terms, atLast: count, &served)
    } else if terms.policy.isRejoining {
      rejoinAtStart(cursor, terms, isFirst: isFirst, &served)
    } else if let rule = terms.policy.conflation {
      conflate(cursor, terms, by: rule, &served)
    } else {
      dropOldest(excess, of: cursor, terms, withReplay: countsReplay(cursor), &served)
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
    return costs.excess(from: cursor.index)
  }

  /// Drops the oldest values that wait for a cursor, those of its replay too or only those behind it.
  func dropOldest(
    _ excess: Int, of cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    withReplay: Bool, _ served: inout DeferredWork
  ) {
    cursor.missed &+= excess
    terms.notices?.miss(excess, behind: withReplay ? 0 : cursor.replayCount)
    for _ in 0..<excess {
      if withReplay, let element = cursor.takeReplay() {
        served.rest.skip(element)
      } else if let element = take(cursor) {
        served.rest.skip(element)
      }
    }
  }

  /// Lets the oldest values wait for a cursor apart from the others, and drops those behind them.
  ///
  /// The pull log need not keep what lies behind them then.
  func keepOldest(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, dropping excess: Int,
    _ served: inout DeferredWork
  ) {
    let rest = count(cursor) &- excess
    let kept = ValueQueue<Element>()
    while kept.count < rest, let element = take(cursor) { kept.append(element) }
    while let element = take(cursor) { served.rest.skip(element) }
    if kept.count > 0 { terms.kept = kept }
    cursor.missed &+= excess
    terms.notices?.miss(excess, behind: cursor.replayCount &+ kept.count)
    guard terms.ending != nil else { return }
    terms.isEnding = true
    served.rest.userCalls.append(.makeEnd(cursor))
  }

  /// Leaves a value for a cursor whose values wait apart from the others, if there is room for it, or the upstream
  /// still waits for the loop.
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
    var hasRoom = kept.count < cursor.limit
    if let patience = terms.patience {
      lookAtWait(terms, patience, live: kept.count &+ 1, &served)
      hasRoom = !patience.isOver
    }
    if hasRoom { return kept.append(element) }
    terms.knownCount = kept.count
    cursor.missed &+= 1
    terms.notices?.miss(1, behind: cursor.replayCount &+ kept.count)
  }
}
