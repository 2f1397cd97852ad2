// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent.

/// The values that a receiver has got where it started, its replay: they are owed to it, and do not count among those
/// that its policy limits. They are in front of all others: in the receiver's own values, and in the log up to a place.
extension Hub {
  /// Returns the number of values that are left of a receiver's replay.
  func replayLeft(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    let own = backlog.ownReplayCount
    guard let raw = cursor.chunk else { return own }
    return own &+ max(0, backlog.joinedAt &- Chunk<Element>(raw).index(at: cursor.offset))
  }

  /// Returns the number of values that wait for a receiver without what is left of its replay.
  func liveCount(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    waitingCount(cursor) &- replayLeft(cursor, backlog)
  }

  /// Notes that all that waits for a receiver is its replay.
  func beginLive(_ backlog: LimitedBacklog<Element, End>) {
    backlog.joinedAt = retention.log.end
    backlog.setReplayCount(backlog.count)
  }

  /// Returns whether only values that are no replay wait for a receiver in the log, and nowhere else.
  func restsAtLive(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    guard let raw = cursor.chunk, backlog.count == backlog.ownReplayCount else { return false }
    return Chunk<Element>(raw).index(at: cursor.offset) >= backlog.joinedAt
  }

  /// Moves what is left of a receiver's replay from the log to its own values, so that values behind it can be
  /// dropped.
  func moveReplay(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    guard let raw = cursor.chunk else { return }
    let replay = replayLeft(cursor, backlog)
    let chunk = Chunk<Element>(raw)
    let index = chunk.index(at: cursor.offset)
    guard index < backlog.joinedAt else { return }
    let place = moveToOwn(backlog, from: index, in: chunk, until: replay)
    unrest(cursor)
    backlog.setReplayCount(replay)
    if place.index < place.chunk.end { rest(cursor, at: place.index, in: place.chunk) }
    trim()
  }

  /// Copies values of the log to a receiver's own ones until these are `count`; returns the place behind them.
  @discardableResult
  func moveToOwn(
    _ backlog: LimitedBacklog<Element, End>, from place: Int, in first: Chunk<Element>,
    until count: Int
  ) -> (index: Int, chunk: Chunk<Element>) {
    var (index, chunk) = (place, first)
    while backlog.count < count {
      while index >= chunk.end, let next = chunk.next { chunk = next }
      backlog.append(chunk.slot(index).pointee)
      index &+= 1
    }
    while index >= chunk.end, let next = chunk.next { chunk = next }
    return (index, chunk)
  }

  /// Drops the values that wait for a receiver behind its replay.
  ///
  /// It gets the newest headers among them.
  func dropLive(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    moveReplay(cursor, backlog)
    let replay = replayLeft(cursor, backlog)
    let place = cursor.chunk.map { Chunk<Element>($0).index(at: cursor.offset) }
    let first = headersFrom(place ?? retention.log.end, backlog, keeping: replay)
    let headers = retention.starting.headers?.contents(first) ?? []
    backlog.missOldest(waitingCount(cursor) &- replay &- headers.count, behind: replay)
    keepMeasures(of: headers, last: 0, for: cursor, backlog)
    unrest(cursor)
    if replay == 0, !cursor.receivesNotices { setBehind(cursor, false) }
    while backlog.takeBehind(replay) != nil {}
    backlog.setReplayCount(replay)
    give(headers, to: cursor)
    trim()
  }

  /// Returns the number of values that a receiver has missed up to now.
  package func missedCount(
    of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    if cursor.awaitsStart { return backlog.missed &+ missedInWait(backlog) }
    return switch backlog.stall {
    case .resting, .ended: backlog.missed
    case .full(let from), .sliding(let from): backlog.missed &+ acceptedCount &- from
    }
  }

  /// Returns the number of values that a receiver has missed since it waits for a start.
  ///
  /// It misses no header that it would get now.
  func missedInWait(_ backlog: LimitedBacklog<Element, End>) -> Int {
    let wait = backlog.wait
    let headers = headers(before: retention.log.end).filter { $0.place >= wait.headersFrom }
    let positions = headers.map { $0.place }
    guard let selection = backlog.selection else {
      return wait.missed(at: acceptedCount, given: backlog.headers.count(of: positions))
    }
    let taken = positions.filter(selection.wait.positions.contains)
    return selection.wait.missed(given: backlog.headers.count(of: taken))
  }
}

/// The values that a receiver without a policy requests in a hub without a log, before it has its subscription.
///
/// They are owed to it, and kept value by value, not by a place: whether a value is among them depends on the requests
/// up to that value, so that others may be missing in between.
extension Hub {
  /// Keeps for a receiver what it requested while it was receiving its subscription.
  ///
  /// That is owed to it, also where a value that was not requested is lost or replaced.
  func keepRequested(_ element: Element, for cursor: Cursor<Element, End>) {
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if rules.mode == .lossy {
      guard asked > UInt(backlog.count) else { return }
    } else {
      if cursor.isBehind, cursor.backlog == nil, let displaced = retention.displaced {
        backlog.append(displaced)
      }
      if asked < UInt(backlog.count) { _ = backlog.popLast() }
    }
    backlog.append(element)
    cursor.backlog = backlog
    setBehind(cursor, true)
  }

  /// Drops the values that the end overtakes: those that a receiver without its subscription has not requested.
  ///
  /// What the receiver has requested is owed to it.
  func dropUnrequested(_ cursor: Cursor<Element, End>) {
    guard cursor.isBehind, !cursor.isLimited else { return }
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if cursor.backlog == nil, let newest = retention.newest { backlog.append(newest) }
    while UInt(backlog.count) > asked { _ = backlog.popLast() }
    cursor.backlog = backlog.count > 0 ? backlog : nil
    setBehind(cursor, backlog.count > 0)
  }
}
