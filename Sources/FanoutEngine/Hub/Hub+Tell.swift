// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent.

extension Hub {
  /// Gives a receiver its values with what it is told beside them, as far as its credit goes.
  ///
  /// Such a receiver counts as one that is behind for as long as it is attached.
  @inline(never)
  func tell(_ cursor: DemandCursor<Element, End>) {
    guard let backlog = cursor.limitedBacklog, let tell = backlog.tell else { return }
    while cursor.credit != .none, !cursor.isStopped {
      if let notice = backlog.entries.takeNotice(behindReplay: cursor.chunk != nil) {
        cursor.tellOnCredit(Notice(notice), tell)
      } else {
        let isReplayed = cursor.chunk != nil || backlog.count > 0 && backlog.entries[0].isReplayed
        guard let element = takeWaiting(cursor, backlog) else { return }
        cursor.tellOnCredit(isReplayed ? .replayed(element) : .live(element), tell)
      }
      if drain.has(.control) { takeControl() }
    }
  }

  /// Takes the next value that waits for a receiver in its own queue, or in the log in front of that.
  func takeWaiting(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Element? {
    guard backlog.isCollecting, let raw = cursor.chunk else { return backlog.takeFirst() }
    let chunk = Chunk<Element>(raw)
    let index = chunk.index(at: cursor.offset)
    let element = chunk.slot(index).pointee
    unrest(cursor)
    if index &+ 1 < backlog.joinedAt { rest(cursor, from: chunk, at: index &+ 1) }
    trim()
    return element
  }

  /// Returns whether nothing waits for a receiver, neither a value nor a notice.
  func hasAll(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    guard cursor.receivesNotices else { return !cursor.isBehind }
    return waitingCount(cursor) == 0 && !backlog.entries.hasNotice(behindReplay: false)
  }
}

extension DemandCursor {
  /// Tells the receiver something, and takes it off the credit.
  final func tellOnCredit(_ notice: Notice<Element>, _ tell: LimitedBacklog<Element, End>.Tell) {
    let more = receiver._withUnsafeGuaranteedRef { tell($0, notice) }
    credit = credit.afterOne + more
    if credit == .none { credit = pending.take() }
  }
}
