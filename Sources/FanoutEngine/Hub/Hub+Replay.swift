// Every function here is called by the holder of the drain, except `borrowReplay(for:_:_:)` and what it calls: a
// thread that begins a loop calls that under the lock of the inbox.
//
// Relaxed load: invariant: it is a first guess; the acquiring load after the note decides.

public import Synchronization

extension Hub {
  /// Gives a newcomer the last values of the replay.
  @inlinable
  func give(last count: Int, to cursor: Cursor<Element, End>) {
    guard rules.mode == .log else {
      let headers = retention.cache?.headers?() ?? []
      let values = replayContents().dropFirst(headers.count)
      return giveContents(headers + values.suffix(count), to: cursor)
    }
    let place = max(retention.log.start, retention.log.end &- min(count, retention.log.cachedCount))
    give(headers(before: place), to: cursor)
    guard place < retention.log.end, var chunk = retention.log.startChunk else { return }
    while place >= chunk.end, let next = chunk.next { chunk = next }
    rest(cursor, at: place, in: chunk)
    setBehind(cursor, true)
    if rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Returns the newest headers from before a place in the replay.
  @inlinable
  func headers(before place: Int) -> [(place: Int, value: Element)] {
    guard let known = retention.starting.headers, let newest = rules.makeHeaders?() else {
      return []
    }
    for header in known.contents(retention.starting.clearedAt) {
      _ = newest.record(header.value, header.place)
    }
    var index = retention.log.start
    var chunk = retention.log.startChunk
    while let current = chunk, index < place {
      while index < min(current.end, place) {
        _ = newest.record(current.slot(index).pointee, index &+ retention.starting.offLog)
        index &+= 1
      }
      chunk = current.next
    }
    return newest.contents(.min)
  }

  /// Returns the number of values of the replay behind the newest one for which a closure returns true; nil if there
  /// is none.
  @inlinable
  func countAfter(_ isKnown: (Element) -> Bool) -> Int? {
    guard rules.mode == .log else {
      let contents = Array(replayContents().dropFirst(retention.cache?.headers?().count ?? 0))
      return contents.lastIndex(where: isKnown).map { contents.count &- 1 &- $0 }
    }
    var known: Int?
    var index = retention.log.start
    var chunk = retention.log.startChunk
    while let current = chunk, index < retention.log.end {
      while index < current.end {
        if isKnown(current.slot(index).pointee) { known = index }
        index &+= 1
      }
      chunk = current.next
    }
    return known.map { retention.log.end &- 1 &- $0 }
  }

  /// The replay of a hub that has no log.
  @inlinable
  func replayContents() -> [Element] {
    switch rules.mode {
    case .custom: retention.cache?.contents() ?? []
    case .newest: [retention.cachedNewest].compactMap { $0 }
    case .lossy, .log: []
    }
  }
}

extension Hub {
  /// Looks up the replay of a cursor, as the holder of the drain.
  @inlinable
  func enter(_ cursor: PullCursor<Element, End>) {
    var contents: [Element] = []
    if rules.mode == .custom { contents = retention.cache?.contents() ?? [] }
    if rules.mode == .newest, let newest = retention.cachedNewest { contents = [newest] }
    if limitsDemand {
      worklist.hasLoops = true
      noteDemandDue()
    }
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      guard !cursor.isOver else { return }
      give(contents, to: cursor, after: rules.mode == .log ? retention.log.cachedCount : 0)
      inbox.pullLog?.skip(cursor, &served.skipped)
      serve(cursor, &inbox, &served)
    }
    carryOut(served)
  }

  /// Looks up the replay of a cursor under the lock of the inbox, while the holder of the drain is
  /// calling a receiver; or leaves that to the holder, if it cannot be done.
  ///
  /// The note is set before it is asked whether the retained values are free. So the holder cannot leave any more
  /// without having seen the note, and then it takes the lock before it touches the retained values.
  @inlinable
  func borrowReplay(
    for cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) -> Acceptance {
    // Recording and keyframes are the holder's, as is what a change of the connection does.
    guard rules.mode == .newest || (rules.mode == .log && rules.isKeyframe == nil), !limitsDemand,
      let queued = inbox.queuedValues, signals.retentionIsFree.load(ordering: .relaxed)
    else { return leaveJoin(of: cursor, &inbox) }
    if drain.announce(.control) { return .direct }
    // What the holder has taken up already was accepted before this, and cannot be seen in the inbox.
    guard signals.retentionIsFree.load(ordering: .acquiring), worklist.batch.isEmpty else {
      return leaveJoin(of: cursor, &inbox)
    }
    if rules.mode == .newest {
      give([queued.last ?? retention.cachedNewest].compactMap { $0 }, to: cursor, after: 0)
    } else {
      let logged = max(0, min(retention.log.cachedCount, rules.limit &- queued.count))
      give(queued.suffix(rules.limit), to: cursor, after: logged)
    }
    inbox.pullLog?.skip(cursor, &served.skipped)
    notePin(cursor, &served)
    return .refused
  }

  /// Lets a cursor wait, under the lock, until the holder of the drain looks up its replay.
  @inlinable
  func leaveJoin(
    of cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>
  ) -> Acceptance {
    inbox.appendJoin(of: cursor)
    return drain.announce(.queued) ? .holding : .left
  }

  /// Gives a cursor its replay: the newest of the values in the log, and others behind them.
  @inlinable
  func give<Values: Collection>(
    _ values: Values, to cursor: PullCursor<Element, End>, after logged: Int
  ) where Values.Element == Element {
    cursor.isJoining = false
    if logged > 0, var chunk = retention.log.startChunk {
      let index = retention.log.end &- logged
      while index >= chunk.end, let next = chunk.next { chunk = next }
      chunk.changeResting(at: index, arriving: true)
      cursor.replay = .init(chunk: chunk.raw, index: index, end: retention.log.end)
      cursor.pinned = .init(chunk: chunk.raw, index: index)
      cursor.pinnedChunk = chunk.raw
    }
    guard !values.isEmpty else { return }
    let backlog = ValueQueue<Element>()
    for value in values { backlog.append(value) }
    cursor.backlog = backlog
  }
}
