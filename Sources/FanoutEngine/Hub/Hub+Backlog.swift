// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent.

extension Hub {
  /// Gives a newcomer the backlog that the hub's policy says; a sink takes every value and needs none.
  @inlinable
  @inline(never)
  func limit(_ cursor: Cursor<Element, End>, _ limits: BacklogLimits<End>) {
    if limits.isGating { noteRoom() }
    guard !cursor.isSink else { return }
    cursor.backlog = LimitedBacklog(limits.policy, joinedAt: retention.log.end)
    cursor.isLimited = true
  }

  /// Returns the number of values that wait for a receiver.
  @inlinable
  func waitingCount(_ cursor: Cursor<Element, End>) -> Int {
    let own = cursor.backlog?.count ?? 0
    guard let raw = cursor.chunk else { return own }
    return own &+ retention.log.end &- Chunk<Element>(raw).index(at: cursor.offset)
  }

  /// Applies the policy of a receiver that has got all that it has requested so far, and delivers an end for
  /// which it then need not wait: its own, or that of the hub.
  @inlinable
  @inline(never)
  func settleLimited(_ cursor: Cursor<Element, End>) {
    keepWithinLimit(cursor)
    guard !cursor.isStopped else { return }
    if !cursor.isBehind, let end = cursor.limitedBacklog?.end ?? retention.end {
      return finish(cursor, end)
    }
    settle(cursor)
  }

  @inlinable
  func keepWithinLimit(_ cursor: Cursor<Element, End>) {
    guard !cursor.isStopped, let backlog = cursor.limitedBacklog else { return }
    let policy = backlog.policy
    if policy.isGating { return noteRoom() }
    guard cursor.isBehind else { return }
    let waiting = waitingCount(cursor)
    guard waiting > policy.count else { return }
    switch policy.overflow {
    case .dropsOldest: dropOldest(waiting &- policy.count, of: cursor, backlog)
    case .dropsNewest: keepOldest(policy.count, of: cursor, backlog)
    case .ends(let makeEnd):
      let excess = liveCount(cursor, backlog) &- policy.count
      guard excess > 0 else { return }
      keepOldest(waiting &- excess, of: cursor, backlog)
      backlog.end = makeEnd()
    case .rejoins: rejoin(cursor, backlog)
    case .waits: break
    }
  }

  /// Returns the number of values that wait for a receiver without what is left of its replay.
  @inlinable
  func liveCount(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    guard let raw = cursor.chunk else { return 0 }
    let index = Chunk<Element>(raw).index(at: cursor.offset)
    return retention.log.end &- max(index, backlog.joinedAt)
  }

  /// Drops the oldest values that wait for a receiver.
  @inlinable
  func dropOldest(
    _ count: Int, of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    var rest = count
    backlog.missed &+= count
    while rest > 0, backlog.popFirst() != nil { rest &-= 1 }
    guard rest > 0, let raw = cursor.chunk else { return }
    var chunk = Chunk<Element>(raw)
    let index = chunk.index(at: cursor.offset) &+ rest
    unrest(cursor)
    while index >= chunk.end, let next = chunk.next { chunk = next }
    self.rest(cursor, at: index, in: chunk)
    trim()
  }

  /// Keeps the oldest values that wait for a receiver, in a queue of its own, and drops the others.
  @inlinable
  func keepOldest(
    _ count: Int, of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    backlog.missed &+= waitingCount(cursor) &- count
    if backlog.count > count {
      let kept = ValueQueue<Element>()
      while kept.count < count, let element = backlog.popFirst() { kept.append(element) }
      backlog.swapValues(with: kept)
    }
    guard let raw = cursor.chunk else { return }
    var chunk = Chunk<Element>(raw)
    var index = chunk.index(at: cursor.offset)
    while backlog.count < count {
      while index >= chunk.end, let next = chunk.next { chunk = next }
      backlog.append(chunk.slot(index).pointee)
      index &+= 1
    }
    unrest(cursor)
    trim()
  }

  /// Lets a receiver go on where a newcomer would start, if that lies ahead of its place.
  ///
  /// The contents of a cache may be values that the receiver has had, so it starts behind them.
  @inlinable
  func rejoin(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    if let cache = retention.cache, cache.isSnapshot {
      return startAgain(cursor, backlog, from: cache)
    }
    let start = rules.mode == .log ? retention.log.start : retention.log.end
    let waiting = waitingCount(cursor)
    let left = retention.log.end &- start
    // The values of a connection that has closed are owed until there is a start in the next one.
    guard left < waiting, left > 0 || rules.mode != .log else { return }
    backlog.missed &+= waiting &- left
    unrest(cursor)
    if left > 0, let chunk = retention.log.startChunk {
      rest(cursor, at: start, in: chunk)
    } else {
      setBehind(cursor, false)
    }
    while backlog.popFirst() != nil {}
    trim()
  }

  /// Gives a receiver the contents of a cache in place of everything that waits.
  ///
  /// The value that goes through the receivers has been recorded already, so the contents stand for it too.
  @inlinable
  @inline(never)
  func startAgain(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    from cache: CustomCache<Element>
  ) {
    // If only contents wait, they are the newest.
    guard cursor.chunk != nil else { return }
    let contents = cache.contents()
    // Without contents there is no start: what waits is owed by a connection that has closed.
    guard !contents.isEmpty else { return }
    backlog.missed &+= waitingCount(cursor)
    unrest(cursor)
    let dropped = ValueQueue<Element>()
    backlog.swapValues(with: dropped)
    for element in contents { backlog.append(element) }
    trim()
    withExtendedLifetime(dropped) {}
  }
}
