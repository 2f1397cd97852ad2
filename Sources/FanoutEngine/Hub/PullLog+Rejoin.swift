// Invariant: everything here is called under the lock of the hub's inbox.

extension PullCursor {
  /// Whether the cursor goes on where a newcomer would start.
  final var rejoins: Bool { terms?.policy.isRejoining == true }
}

extension PullLog {
  /// Lets a cursor go on where a newcomer would start, if that lies ahead of its place: at the last values, or behind
  /// everything, and then it keeps its replay.
  ///
  /// For a cursor whose replay has just become known more than one value may be too many. Then the result is that of
  /// one value after the other.
  func rejoin(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, atLast count: Int,
    _ served: inout DeferredWork
  ) {
    let live = self.count(cursor)
    guard live > cursor.limit else { return }
    // What was let in while the upstream waited goes with the first value that is one too many.
    let limit = terms.patience == nil ? cursor.limit : live &- 1
    let waiting = count == 0 ? live : live &+ cursor.replayCount
    // What a newcomer would get, of values that came since the replay was emptied.
    let start = min(count, replayFloor.map { log.end &- $0 } ?? .max)
    var (kept, times) = (start, 1)
    if count == 0 {
      (times, kept) = live.quotientAndRemainder(dividingBy: limit &+ 1)
    } else if start == count, count > limit {
      times = min(live &- limit, waiting &- count)
    } else if start == count {
      let (rounds, rest) = (live &- limit &- 1).quotientAndRemainder(
        dividingBy: limit &+ 1 &- count)
      (kept, times) = (count &+ rest, 1 &+ rounds)
    }
    // A replay that is empty is no start, but a clear lets it go on when it takes a value.
    guard count == 0 || start > 0, waiting > kept else { return }
    terms.rejoins &+= times
    dropOldest(waiting &- kept, of: cursor, terms, withReplay: count > 0, &served)
  }

  /// Lets a cursor go on at the newest start ahead of its place, or wait for the next one if newcomers do.
  ///
  /// For a cursor whose replay has just become known more than one value may be too many. Then the result is that of
  /// one value after the other.
  ///
  /// - Parameters:
  ///   - cursor: The cursor, for which more values wait than its limit allows.
  ///   - terms: Its terms.
  ///   - isFirst: Whether the cursor has not been looked at before.
  ///   - isAsked: Whether the loop has taken a value, or the end has come: then the replay may have been cleared since
  ///     the newest value came.
  ///   - served: The work to do after the unlock.
  func rejoinAtStart(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, isFirst: Bool = false,
    isAsked: Bool = false, _ served: inout DeferredWork
  ) {
    guard let starts else { return }
    let limit = cursor.limit
    let count = terms.policy.count
    let known = log.end &- self.count(cursor)
    var (place, hasReplay) = (known, cursor.replayCount > 0)
    func restart(by change: StartPlaces.Change?, at index: Int) -> Bool {
      guard let change,
        let found = starts.restart(
          by: change, at: index, from: place, hasReplay: hasReplay, count: count)
      else { return false }
      (place, hasReplay) = (found, false)
      terms.rejoins &+= 1
      return true
    }
    // The value that is one too many: every look takes place at the newest one, but for the first. What was let in
    // while the upstream waited goes with the first value behind that, too.
    var index = isFirst && terms.patience == nil ? place &+ limit : log.end &- 1
    while index < log.end {
      if restart(by: starts.change(at: index), at: index) {
        guard place < .max else { break }
        index = max(index, place &+ limit)
      } else {
        index = starts.nextLook(behind: index, count: count)
      }
    }
    if isAsked, place < log.end &- limit {
      _ = restart(by: starts.latest, at: log.end &- 1)
      index = log.end &- 1
    }
    guard place > known || (cursor.replayCount > 0 && !hasReplay) else { return }
    let end = place < .max ? place : index &+ 1
    dropOldest(
      cursor.replayCount &+ end &- known, of: cursor, terms, withReplay: true, &served)
    if place == .max { awaitStart(cursor, terms, &served) }
  }

  /// Notes whether a cursor waits for a start, or has too many values and no start ahead.
  func noteLack(
    of cursor: PullCursor<Element, End>, _ served: inout DeferredWork
  ) {
    guard starts != nil, cursor.rejoins, let terms = cursor.terms else { return }
    let isTooSlow = count(cursor) > cursor.limit && terms.patience?.isOver != false
    let lacksStart = terms.awaitsStart || isTooSlow
    guard lacksStart != terms.lacksStart else { return }
    setLack(of: cursor, terms, lacksStart, &served)
    // Nothing was noted meanwhile.
    if !lacksStart, cursor.chunk != nil { noteLimit(of: cursor) }
  }

  /// Sets whether a cursor lacks a start, and has the holder of the drain look at that.
  func setLack(
    of cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, _ lacksStart: Bool,
    _ served: inout DeferredWork
  ) {
    terms.lacksStart = lacksStart
    lackingStart &+= lacksStart ? 1 : -1
    guard !cursor.isPinNoted else { return }
    cursor.isPinNoted = true
    served.unpin(cursor)
  }

  /// Lets a cursor wait for the next start; it misses the values that still wait for it.
  func awaitStart(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    _ served: inout DeferredWork
  ) {
    terms.awaitsStart = true
    while let element = take(cursor) {
      served.rest.skip(element)
      cursor.missed &+= 1
      terms.missedAwaiting &+= 1
    }
  }

  /// Notes that a connection begins or closes.
  func noteConnection(opening: Bool) {
    openedAt = log.end
    clearedAt = nil
    noteStart(opening ? .start : .closed)
  }

  /// Notes a change of the place where newcomers start; every loop that rejoins there is looked at with the next value.
  func noteStart(_ kind: StartPlaces.Kind) {
    guard starts != nil else { return }
    starts?.note(.init(kind, at: log.end, openedAt: openedAt))
    limitedEnd = .min
    if kind == .start { endAwaiting() }
  }

  /// Lets the loops that wait for a start wait no longer, because it comes or none does any more, and tells them what
  /// they have missed.
  @inline(never)
  func endAwaiting() {
    for place in 0..<cursors.placeCount {
      guard let cursor = cursors.member(at: place), let terms = cursor.terms, terms.awaitsStart
      else {
        continue
      }
      terms.awaitsStart = false
      terms.notices?.miss(terms.missedAwaiting, behind: 0)
      terms.missedAwaiting = 0
    }
  }

  /// Notes that newcomers wait for the next start, because the replay was cleared; behind a connection that has closed
  /// they wait for the next one in any case.
  ///
  /// A loop for which too much waits notices that when it takes a value.
  func noteClear() {
    guard starts?.latest?.kind != .closed else { return }
    noteStart(.cleared)
    clearedAt = log.end
  }

  /// Lets a loop go on behind everything, or wait for the next start where there are keyframes, for which too much has
  /// waited since the replay was cleared, as it has taken a value, or as the end has come.
  @usableFromInline
  @inline(never)
  func lookAtClear(for cursor: PullCursor<Element, End>, _ served: inout DeferredWork) {
    let live = count(cursor)
    guard let terms = cursor.terms, terms.looksAtClears, live > cursor.limit, !cursor.isJoining
    else { return }
    let rejoins = terms.rejoins
    if terms.restartCount == nil {
      guard starts?.latest?.kind == .cleared else { return }
      rejoinAtStart(cursor, terms, isAsked: true, &served)
    } else {
      // Values of a connection that has closed are owed until too many of the next one wait too.
      guard clearedAt == log.end, min(live, log.end &- openedAt) > cursor.limit else { return }
      terms.rejoins &+= 1
      dropOldest(live &+ cursor.replayCount, of: cursor, terms, withReplay: true, &served)
    }
    if terms.rejoins > rejoins, report(cursor) { served.rest.userCalls.append(.observer) }
  }
}
