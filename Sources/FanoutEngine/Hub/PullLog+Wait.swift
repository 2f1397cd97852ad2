// Invariant: what a log does here is done under the lock of the hub's inbox; `endWait(for:)` takes that.

extension PullLog {
  /// Returns the number of values for which a loop has room that limits what the upstream is asked for.
  func room(of cursor: PullCursor<Element, End>) -> Int {
    let reserved = cursor.terms.map { $0.reservedCount &+ $0.frontCount } ?? 0
    return cursor.size &- waitingCount(cursor) &+ cursor.replayCount &+ reserved
  }

  /// Returns whether a loop has a full backlog and holds the upstream back without a limit of time.
  ///
  /// The look begins at the loop that was found last.
  func hasFullBacklog() -> Bool {
    let last = min(fullPlace, cursors.placeCount)
    for places in [last..<cursors.placeCount, 0..<last] {
      for place in places {
        guard let cursor = cursors.member(at: place), cursor.size > 0,
          cursor.terms?.policy.patience == nil,
          room(of: cursor) <= 0
        else { continue }
        fullPlace = place
        return true
      }
    }
    isHeldBack = false
    return false
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
