// Cursors are served under the lock of the inbox; objects are released and tasks resumed after the
// unlock.

extension Hub {
  /// Takes the next result for a cursor, if there is one and no call waits for it, and values that
  /// follow.
  @inlinable
  func fetch(_ cursor: PullCursor<Element, End>) -> Fetched<Element, End>? {
    fetch(cursor) { cursor, inbox, served in
      formOffering(&inbox)
      return take(cursor, &inbox, &served)
    }
  }

  /// Takes the next event for a cursor that is told more than its values, as `fetch(_:)` takes a
  /// value.
  @inlinable
  func fetchNotice(
    _ cursor: PullCursor<Element, End>, isSpecialized: Bool
  ) -> Fetched<Notice<Element>, End>? {
    fetch(cursor) { cursor, inbox, served in
      if isSpecialized { formOffering(&inbox) }
      if let notice = cursor.takeNotice() { return .element(Notice(notice)) }
      let isReplayed = cursor.isInReplay
      switch take(cursor, &inbox, &served) {
      case .element(let element)?:
        return .element(isReplayed ? .replayed(element) : .live(element))
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case .again?, nil: return nil
      }
    }
  }

  /// Takes values that wait for a cursor, up to a number of them, and its end if that follows;
  /// returns nil if nothing waits any more.
  @inlinable
  func fetch(
    _ cursor: PullCursor<Element, End>, upTo wanted: Int, into found: inout [Element]
  ) -> FoundBatch<End>? {
    // A loop that wants very many values takes the lock several times, so that no sender waits for
    // long.
    let count = min(wanted, 256)
    return fetch(cursor) { cursor, inbox, served in
      formOffering(&inbox)
      let known = found.count
      if !cursor.isOver, !cursor.isHeld, let log = inbox.pullLog {
        let end = known &+ PullLog.takenCount(for: cursor, count)
        while found.count < end, let element = cursor.takeOwn() { found.append(element) }
        log.take(cursor, upTo: end &- found.count, into: &found)
      }
      let taken = found.count &- known
      // A cursor that limits the upstream looks again, as more may have come for its request.
      if taken == count || (taken > 0 && cursor.size > 0) { return .values }
      switch next(cursor, &inbox, &served) {
      case .element(let element)?:
        found.append(element)
        return .values
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case .again?, nil: return nil
      }
    }
  }

  /// Takes the next result for a cursor by a closure, which runs under the lock.
  @inlinable
  @inline(__always)
  func fetch<Result>(
    _ cursor: PullCursor<Element, End>,
    _ step: (PullCursor<Element, End>, inout Inbox<Element, End>, inout DeferredWork) -> Result?
  ) -> Result? {
    var served = DeferredWork()
    var isDemandDue = false
    let fetched = withInbox { inbox -> Result? in
      guard cursor.waiting == 0, !conflatesFirst(cursor, &served) else { return nil }
      let fetched = step(cursor, &inbox, &served)
      isDemandDue = noteCall(of: cursor, hasFound: fetched != nil, inbox, &served)
      return fetched
    }
    carryOut(served, andUnpin: isDemandDue ? cursor : nil)
    return fetched
  }

  /// Takes the next result for a cursor, or returns nil if there is none yet; its batch takes
  /// values that follow.
  @inlinable
  func take(
    _ cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) -> Fetched<Element, End>? {
    if let element = takeBatched(cursor) { return .element(element) }
    let fetched = next(cursor, &inbox, &served)
    if case .element? = fetched { inbox.pullLog?.fillBatch(of: cursor) }
    return fetched
  }
}
