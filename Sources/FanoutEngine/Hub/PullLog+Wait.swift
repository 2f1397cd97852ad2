// Invariant: what a log does here is done under the lock of the hub's inbox; `endWait(for:)` takes that.

extension PullLog {
  /// Returns the number of values for which a loop has room that limits what the upstream is asked for.
  func room(of cursor: PullCursor<Element, End>) -> Int {
    cursor.size &- waitingCount(cursor) &+ cursor.replayCount
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
    _ served: inout DeferredWork
  ) {
    let hasTaken = terms.knownCount &+ log.end &- terms.knownEnd > live
    terms.knownCount = live
    terms.knownEnd = log.end
    let epoch = patience.note(isFull: live >= terms.policy.count, hasTaken: hasTaken)
    if let epoch { served.rest.userCalls.append(.beginTime(patience.timer, patience, epoch)) }
  }
}

extension Hub {
  /// Lets the upstream wait no longer for a loop whose backlog is still full, as a time is over.
  func endWait(for cursor: PullCursor<Element, End>) {
    let isDue = withInbox { _ in
      guard cursor.terms != nil, !cursor.isPinNoted else { return false }
      cursor.isPinNoted = true
      return true
    }
    if isDue { unpin(cursor) }
  }
}
