// Invariant: what a log does here is done under the lock of the hub's inbox, and takes the lock of a batch under it;
// `endWait(for:)` takes both.

extension PullLog {
  /// Looks at a backlog whose wait ends, of which the loop may have taken values.
  @inline(never)
  func lookAtWait(
    for cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    _ served: inout DeferredWork
  ) {
    guard let patience = terms.patience, !cursor.isJoining else { return }
    cursor.withBatch { batch in
      cursor.note(batch)
      lookAtWait(terms, patience, live: liveCount(cursor), &batch, &served)
    }
  }

  /// Returns the number of values for which a loop has room that limits what the upstream is asked for.
  ///
  /// Values of its batch count until its next call under the lock, also those that it has got meanwhile.
  func room(of cursor: PullCursor<Element, End>) -> Int {
    cursor.size &- count(cursor) &- cursor.held
  }

  /// Returns whether a loop has a full backlog and holds the upstream back without a limit of time.
  ///
  /// The look begins at the loop that was found last.
  func hasFullBacklog() -> Bool {
    let last = min(fullPlace, cursors.placeCount)
    for places in [last..<cursors.placeCount, 0..<last] {
      for place in places {
        guard let cursor = cursors.member(at: place), cursor.size > 0,
          cursor.terms?.patience == nil,
          room(of: cursor) <= 0
        else { continue }
        fullPlace = place
        return true
      }
    }
    isHeldBack = false
    return false
  }

  /// Notes whether a backlog whose wait ends is full, and whether the loop has taken a value since the last look.
  func lookAtWait(
    _ terms: PullTerms<Element, End>, _ patience: BacklogPatience<Element, End>, live: Int,
    _ batch: inout PullBatch<Element>, _ served: inout DeferredWork
  ) {
    let hasTaken = terms.knownCount &+ log.end &- terms.knownEnd > live
    terms.knownCount = live
    terms.knownEnd = log.end
    batch.isWatched = live >= terms.policy.count
    let epoch = patience.note(isFull: batch.isWatched, hasTaken: hasTaken)
    if let epoch { served.rest.userCalls.append(.beginTime(patience.timer, patience, epoch)) }
  }

  /// Leaves a value for a cursor whose oldest values wait apart from the others, unless a wait for it is over.
  func leave(
    _ element: Element, in kept: ValueQueue<Element>, apart cursor: PullCursor<Element, End>,
    _ terms: PullTerms<Element, End>, _ patience: BacklogPatience<Element, End>,
    _ served: inout DeferredWork
  ) {
    cursor.withBatch { batch in
      cursor.note(batch)
      let live = kept.count &+ cursor.held
      lookAtWait(terms, patience, live: live &+ 1, &batch, &served)
      guard patience.isOver else { return kept.append(element) }
      terms.knownCount = live
      cursor.missed &+= 1
      batch.notices?.miss(1, behind: cursor.replayCount &+ kept.count &+ batch.values.count)
    }
  }
}

extension Hub {
  /// Lets the upstream wait no longer for a loop whose backlog is still full, as a time is over.
  func endWait(for cursor: PullCursor<Element, End>) {
    var served = DeferredWork()
    withInbox { inbox in
      guard let terms = cursor.terms, let log = inbox.pullLog else { return }
      log.lookAtWait(for: cursor, terms, &served)
      guard !cursor.isPinNoted else { return }
      cursor.isPinNoted = true
      served.unpin(cursor)
    }
    carryOut(served)
  }
}
