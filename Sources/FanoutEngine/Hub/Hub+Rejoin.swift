// Every function here is called by the holder of the drain. A release of a value may run user code,
// so it happens when the cursor and the log are consistent.

extension Hub {
  /// Lets a receiver for which too much waits go on where a newcomer would start, if that lies
  /// ahead of its place.
  @inline(never)
  func rejoin(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    if let cache = retention.cache, cache.isSnapshot {
      return startAgain(cursor, backlog, from: cache)
    }
    if rules.mode == .log { expireStart() }
    let start = newcomerStart
    let restart = start.restart(
      from: firstPosition(cursor, backlog, isLive: start.kind == .behindAll),
      ifLacking: lacksEnoughOfConnection(cursor, backlog))
    switch restart {
    case nil: break
    case .waiting: awaitAgain(cursor, backlog)
    case .behindReplay where rules.makeHeaders == nil: dropLive(cursor, backlog)
    case .behindReplay:
      // No other receiver gets what is left of what it started with, so that stays.
      restartWithHeaders(
        cursor, backlog, at: start.place, keepingReserved: rules.keepsUndelivered)
    case .at(let place):
      guard rules.mode == .log else {
        return self.restart(cursor, backlog) { $0.position >= place }
      }
      guard backlog.isCollecting else { return skipAhead(to: retention.log.start, cursor, backlog) }
      restartWithHeaders(cursor, backlog, at: place)
    }
  }

  /// The place at which newcomers start.
  private var newcomerStart: NewcomerStart {
    let isCleared =
      rules.isKeyframe == nil && !rules.endOvertakesNewest
      && acceptedCount > retention.starting.openedPosition
    var (kind, place) = (NewcomerStart.Kind.behindAll, acceptedCount)
    switch rules.mode {
    case .lossy, .custom: break
    // The newest value is where a newcomer starts. Those of a closed connection are kept until
    // there is one.
    case .newest:
      kind = retention.newestIsCached ? .available : isCleared ? .cleared : .none
      if retention.newestIsCached { place &-= 1 }
    case .log:
      place = retention.log.start &+ retention.starting.offLog
      if retention.starting.availability == .exceeded {
        kind = .awaited
      } else if rules.limit > 0, !rules.keepsUndelivered {
        kind = retention.log.cachedCount > 0 ? .available : isCleared ? .cleared : .none
      }
    }
    return NewcomerStart(kind: kind, place: place, openedAt: retention.starting.openedPosition)
  }

  /// Starts a receiver anew with the values from a position on that wait for it, and with the
  /// newest headers.
  private func restartWithHeaders(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>, at start: Int,
    keepingReserved: Bool = false
  ) {
    let headers = newestHeaders
    restart(cursor, backlog, keepingReserved: keepingReserved) {
      $0.position >= start || headers.contains($0.position)
    }
    backlog.entries.markInFront(before: start)
  }

  /// Drops the values that count, so that a receiver goes on behind what is reserved for it.
  private func dropLive(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    if !backlog.isCollecting { moveToOwn(cursor, backlog, until: 0) }
    if backlog.count == 0 {
      return skipAhead(to: retention.log.end, cursor, backlog)
    }
    backlog.dropLive(to: nil)
    noteDropped(cursor)
  }

  /// Lets a receiver for which only values in the log count go on at a place there.
  private func skipAhead(
    to place: Int, _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    guard let raw = cursor.chunk else { return }
    backlog.rejoinCount &+= 1
    skip(place &- Chunk<Element>(raw).index(at: cursor.offset), in: cursor, backlog)
    noteDropped(cursor)
  }

  /// The positions of the headers that a newcomer would get.
  private var newestHeaders: Set<Int> {
    let headers = retention.starting.headers?.contents(retention.starting.clearedAt) ?? []
    return Set(headers.map { $0.place })
  }

  /// Drops what waits for a receiver, but for some values, with which it goes on.
  private func restart(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    keepingReserved: Bool = false, keeping isKept: (Entry) -> Bool
  ) {
    if backlog.isCollecting {
      collectLogged(cursor, backlog)
    } else {
      moveToOwn(cursor, backlog, until: .max)
    }
    if !keepingReserved { backlog.endReserve() }
    backlog.restart(keeping: isKept)
    noteDropped(cursor)
  }

  /// Moves what is left of the replay of a receiver that collects from the log to its own values.
  private func collectLogged(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    guard let raw = cursor.chunk else { return }
    let place = Chunk<Element>(raw).index(at: cursor.offset)
    let values = retention.log.values(from: Chunk(raw), at: place)
    backlog.prepend(
      values.prefix(backlog.joinedAt &- place), at: place &+ retention.starting.offLog)
    unrest(cursor)
    trim()
  }

  /// Drops all that waits for a receiver, because newcomers wait for a start, and lets it wait too.
  private func awaitAgain(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    // Headers are lacked from the first value on that it has not had.
    let first = backlog.entries.next?.position ?? acceptedCount
    let headers = newestHeaders
    let waiting = backlog.entries.reserved.all + backlog.entries.live.all
    let taken = waiting.map(\.position).filter(headers.contains)
    restart(cursor, backlog) { _ in false }
    if !cursor.awaitsStart {
      awaitStart(cursor, headersFrom: max(first, retention.starting.clearedAt))
      // It has looked at all that lies behind.
      backlog.selection?.wait.from = .min
    }
    backlog.selection?.wait.positions += taken
  }

  /// Returns the position of the first value that waits for a receiver, headers in front of its
  /// start aside; if `isLive`, of the first one that counts.
  private func firstPosition(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>, isLive: Bool
  ) -> Int? {
    let reserved = isLive ? nil : backlog.entries.reserved.all.first { !$0.isInFront }
    let own = (reserved ?? backlog.entries.live.all.first { !$0.isInFront })?.position
    // What is left of the replay of a receiver that collects lies in front of its own values.
    guard let raw = cursor.chunk, backlog.isCollecting ? !isLive : own == nil else { return own }
    let place = Chunk<Element>(raw).index(at: cursor.offset)
    return retention.starting.offLog &+ (isLive ? max(place, backlog.joinedAt) : place)
  }

  /// Returns whether too much waits of the current connection: the values of one that has closed
  /// are kept until then.
  private func lacksEnoughOfConnection(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Bool {
    guard !backlog.isCollecting else {
      return backlog.lacksEnough(openedAt: retention.starting.openedPosition)
    }
    let place = cursor.chunk.map { Chunk<Element>($0).index(at: cursor.offset) }
    let (opened, end) = (retention.starting.openedAt, retention.log.end)
    return place ?? end >= opened || end &- opened > backlog.policy.count
  }

  /// Gives a receiver the contents of a cache in place of everything that waits.
  ///
  /// The value that goes through the receivers has been recorded already, so the contents stand for
  /// it too.
  @inline(never)
  private func startAgain(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    from cache: CustomCache<Element>
  ) {
    // If only contents wait, they are the newest.
    guard cursor.chunk != nil || backlog.entries.last?.position != .min else { return }
    let contents = cache.contents()
    // Without contents there is no start: what waits is left of a connection that has closed.
    guard !contents.isEmpty else { return }
    let taken = backlog.selection.map { contents.filter($0.selects) } ?? contents
    restart(cursor, backlog) { _ in false }
    for element in taken {
      backlog.append(element, Entry(at: .min))
      backlog.measure?.meter.append(element)
    }
    if backlog.count > 0 { setBehind(cursor, true) }
  }
}
