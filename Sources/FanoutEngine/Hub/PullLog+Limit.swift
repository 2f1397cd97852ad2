// Invariant: everything here is called under the lock of the hub's inbox, and takes the lock of a batch under it.

extension PullLog {
  /// Drops what waits for each cursor beyond its limit.
  ///
  /// Every cursor has its place by then, so that the log gives up nothing that another one lacks.
  @inlinable
  @inline(__always)
  func keepWithinLimits(_ served: inout DeferredWork<Element, End>) {
    if log.end > limitedEnd { keepFullWithinLimits(&served) }
    // Perhaps no cursor has taken the newest value.
    while let element = log.takeForgotten(before: .max) { served.skipped.append(element) }
  }

  @inlinable
  @inline(never)
  func keepFullWithinLimits(_ served: inout DeferredWork<Element, End>) {
    limitedEnd = .max
    for cursor in cursors.members where cursor.limit < .max && cursor.chunk != nil {
      keepWithinLimit(cursor, &served)
    }
    guard observer != nil else { return }
    // Each value comes by here.
    limitedEnd = .min
    for cursor in cursors.members where report(cursor) { served.endings.append((cursor, nil)) }
  }

  /// Notes up to which end of the log a cursor with a place in it has no more waiting values than its limit.
  @inlinable
  func noteLimit(of cursor: PullCursor<Element, End>) {
    guard !cursor.isJoining else { return }
    let counted = countsReplay(cursor) ? cursor.replayCount : 0
    let room = cursor.limit &- cursor.held &- counted
    limitedEnd = min(limitedEnd, room > Int.max &- cursor.index ? .max : cursor.index &+ room)
  }

  /// Whether the replay of a cursor is among the values that its limit counts.
  ///
  /// What a newcomer starts with is owed to it, unless it only wants the newest values.
  @inlinable
  func countsReplay(_ cursor: PullCursor<Element, End>) -> Bool {
    cursor.terms?.policy.countsReplay ?? true
  }

  /// Drops what waits for a cursor beyond its limit, as its terms say.
  @inlinable
  func keepWithinLimit(
    _ cursor: PullCursor<Element, End>, _ served: inout DeferredWork<Element, End>
  ) {
    guard cursor.limit < .max, !cursor.isJoining else { return }
    defer { if cursor.chunk != nil { noteLimit(of: cursor) } }
    let known = (countsReplay(cursor) ? cursor.replayCount : 0) &+ count(cursor)
    guard known &+ cursor.held > cursor.limit else { return }
    cursor.batch.withLock { batch in
      cursor.held = batch.values.count
      let excess = known &+ cursor.held &- cursor.limit
      guard excess > 0 else { return }
      if let terms = cursor.terms, terms.keepsOldest {
        keepOldest(cursor, terms, dropping: excess, &batch, &served)
      } else {
        dropOldest(excess, of: cursor, &batch, &served)
      }
    }
  }

  /// Drops the oldest values that wait for a cursor.
  @inlinable
  func dropOldest(
    _ excess: Int, of cursor: PullCursor<Element, End>, _ batch: inout PullBatch<Element>,
    _ served: inout DeferredWork<Element, End>
  ) {
    let terms = cursor.terms
    cursor.missed &+= excess
    if terms != nil {
      let replay = countsReplay(cursor) ? 0 : cursor.replayCount
      if replay > 0 {
        batch.notices?.drop(excess, behind: replay)
      } else {
        batch.notices?.miss(excess, fewer: excess)
      }
    }
    let dropsReplay = countsReplay(cursor)
    for _ in 0..<excess {
      if dropsReplay, let element = cursor.takeReplay() {
        served.skipped.append(element)
      } else if let element = batch.values.popLast() ?? take(cursor) {
        served.skipped.append(element)
      }
    }
    cursor.held = batch.values.count
  }

  /// Lets the oldest values wait for a cursor apart from the others, and drops those behind them.
  ///
  /// The pull log need not keep what lies behind them then.
  @inlinable
  func keepOldest(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>, dropping excess: Int,
    _ batch: inout PullBatch<Element>, _ served: inout DeferredWork<Element, End>
  ) {
    let rest = count(cursor) &- excess
    if rest > 0 {
      let kept = ValueQueue<Element>()
      while kept.count < rest, let element = take(cursor) { kept.append(element) }
      while let element = take(cursor) { served.skipped.append(element) }
      terms.kept = kept
    } else {
      while let element = take(cursor) { served.skipped.append(element) }
    }
    cursor.missed &+= excess
    batch.notices?.miss(excess, behind: cursor.replayCount &+ cursor.held &+ max(rest, 0))
    guard let makeEnd = terms.ending else { return }
    terms.isEnding = true
    served.endings.append((cursor, makeEnd))
  }

  /// Leaves a value for a cursor whose values wait apart from the others, if there is room for it.
  @inlinable
  func leave(
    _ element: Element, apart cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>
  ) {
    guard !terms.isEnding, let kept = terms.kept else { return }
    guard kept.count &+ cursor.held >= cursor.limit else { return kept.append(element) }
    cursor.batch.withLock { batch in
      cursor.held = batch.values.count
      let waiting = kept.count &+ cursor.held
      guard waiting >= cursor.limit else { return kept.append(element) }
      cursor.missed &+= 1
      batch.notices?.miss(1, behind: cursor.replayCount &+ waiting)
    }
  }
}
