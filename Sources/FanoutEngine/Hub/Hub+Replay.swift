// Every function here is called by the holder of the drain, except `borrowReplay(for:_:_:)` and
// what it calls: a thread that begins a loop calls that under the lock of the inbox.
//
// Relaxed load: invariant: it is a first guess; the acquiring load after the note decides.

internal import Synchronization

extension Hub {
  /// Gives a newcomer the last values of the replay.
  func give(last count: Int, to cursor: Cursor<Element, End>) {
    guard rules.mode == .log else { return giveContents(replayContents(last: count), to: cursor) }
    let place = max(retention.log.start, retention.log.end &- min(count, retention.log.cachedCount))
    guard place < retention.log.end, let chunk = retention.log.startChunk else { return }
    rest(cursor, from: chunk, at: place)
    setBehind(cursor, true)
    if rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Returns the newest headers from before a place in the replay.
  func headers(before place: Int) -> [(place: Int, value: Element)] {
    guard let known = retention.starting.headers, let newest = rules.makeHeaders?() else {
      return []
    }
    for header in known.contents(retention.starting.clearedAt) {
      _ = newest.record(header.value, header.place)
    }
    let start = retention.log.start
    for (index, value) in retention.log.cachedValues.prefix(max(0, place &- start)).enumerated() {
      _ = newest.record(value, start &+ index &+ retention.starting.offLog)
    }
    return newest.contents(.min)
  }

  /// Returns the place at which a newcomer joins, after its closure was asked for the value behind
  /// which it is to join; and whether values may be missing in front of that place.
  func resolve(_ place: JoinPlace<Element>) -> (place: JoinPlace<Element>, hasUnknownGap: Bool) {
    guard let ifUnknown = place.ifUnknown else { return (place, false) }
    guard retention.starting.availability == .available, let isKnown = place.isKnown,
      let count = countAfter(isKnown)
    else { return ifUnknown }
    return (.last(count), false)
  }

  /// Returns the number of values of the replay behind the newest one for which a closure returns
  /// true; nil if there is none.
  func countAfter(_ isKnown: (Element) -> Bool) -> Int? {
    let values = replayContents().dropFirst(retention.cache?.headers?().count ?? 0)
    return values.lastIndex(where: isKnown).map { values.endIndex &- 1 &- $0 }
  }

  /// The replay, without the headers from before the start of a log.
  func replayContents() -> [Element] {
    switch rules.mode {
    case .custom: retention.cache?.contents() ?? []
    case .newest: [retention.cachedNewest].compactMap { $0 }
    case .log: retention.log.cachedValues
    case .lossy: []
    }
  }

  /// The headers and the last values of the replay of a hub that has no log.
  private func replayContents(last count: Int) -> [Element] {
    let headers = retention.cache?.headers?() ?? []
    return headers + replayContents().dropFirst(headers.count).suffix(count)
  }
}

extension Hub {
  /// Looks up the replay of a cursor, as the holder of the drain.
  func enter(_ cursor: PullCursor<Element, End>) {
    if limitsDemand {
      worklist.hasLoops = true
      noteDemandDue()
      if let limits, cursor.size > limits.largestCount { limits.largestCount = cursor.size }
    }
    // A cancel takes the terms.
    let place = withInbox { _ in cursor.place }
    let start = start(at: place)
    var served = DeferredWork()
    withInbox { inbox in
      guard !cursor.isOver else { return }
      give(start, to: cursor, &inbox, &served)
    }
    carryOut(served)
  }

  /// Looks up the replay of a cursor under the lock of the inbox, while the holder of the drain is
  /// calling a receiver; or leaves that to the holder, if it cannot be done.
  ///
  /// The note is set before it is asked whether the retained values are free. So the holder cannot
  /// leave any more without having seen the note, and then it takes the lock before it touches the
  /// retained values.
  func borrowReplay(
    for cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>,
    _ served: inout DeferredWork
  ) -> Acceptance {
    // Recording, limits and keyframes are the holder's, as is what a change of the connection does.
    guard [.newest, .last, .everything].contains(rules.keeping), !limitsDemand,
      case .replay = cursor.place, let queued = inbox.queuedValues,
      signals.retentionIsFree.load(ordering: .relaxed)
    else { return leaveJoin(of: cursor, &inbox) }
    if drain.announce(.control) { return .direct }
    // What the holder has taken up already was accepted before this, and cannot be seen in the
    // inbox.
    guard signals.retentionIsFree.load(ordering: .acquiring), worklist.batch.isEmpty else {
      return leaveJoin(of: cursor, &inbox)
    }
    var start = PullStart<Element>()
    if rules.mode == .newest {
      start.values = [queued.last ?? retention.cachedNewest].compactMap { $0 }
    } else {
      start.logged = max(0, min(retention.log.cachedCount, rules.limit &- queued.count))
      start.values = queued.suffix(rules.limit)
    }
    give(start, to: cursor, &inbox, &served)
    return .refused
  }

  /// Lets a cursor wait, under the lock, until the holder of the drain looks up its replay.
  func leaveJoin(
    of cursor: PullCursor<Element, End>, _ inbox: inout Inbox<Element, End>
  ) -> Acceptance {
    inbox.appendJoin(of: cursor)
    return drain.announce(.queued) ? .holding : .left
  }

  /// Gives a cursor its replay.
  func give(
    _ start: PullStart<Element>, to cursor: PullCursor<Element, End>,
    _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork
  ) {
    if start.logged > 0, var chunk = retention.log.startChunk {
      let index = retention.log.end &- start.logged
      while index >= chunk.end, let next = chunk.next { chunk = next }
      chunk.changeResting(at: index, arriving: true)
      cursor.replay = .init(chunk: chunk.raw, index: index, end: retention.log.end)
      cursor.pinned = cursor.replay
    }
    if !start.values.isEmpty {
      let backlog = ValueQueue<Element>()
      for value in start.values { backlog.append(value) }
      cursor.backlog = backlog
    }
    cursor.replayCount = start.logged &+ start.values.count
    begin(cursor, hasUnknownGap: start.hasUnknownGap, &inbox, &served)
  }

  /// Lets a cursor begin whose replay is known.
  func begin(
    _ cursor: PullCursor<Element, End>, hasUnknownGap: Bool,
    _ inbox: inout Inbox<Element, End>, _ served: inout DeferredWork
  ) {
    cursor.terms?.entries.hasUnknownGap = hasUnknownGap
    // What a call has asked for while the cursor joined does not wait any more.
    release(cursor, &inbox, &served)
    inbox.pullLog?.begin(cursor, &served)
  }

  /// Returns the replay of a cursor that joins at a place, as the holder of the drain.
  func start(at place: JoinPlace<Element>) -> PullStart<Element> {
    var start = PullStart<Element>()
    var count = Int.max
    expireStart()
    let (resolved, hasUnknownGap) = resolve(place)
    start.hasUnknownGap = hasUnknownGap
    switch resolved {
    case .replay: break
    case .live, .nextStart, .after: return start
    case .last(let wanted): count = wanted
    }
    if rules.mode == .log {
      start.logged = min(retention.log.cachedCount, count)
    } else if count == .max {
      start.values = replayContents()
    } else {
      start.values = replayContents(last: count)
    }
    return start
  }
}

extension Hub {
  /// Has the holder of the drain look at a loop, unless that has left.
  func attend(_ cursor: PullCursor<Element, End>) {
    var served = DeferredWork()
    withInbox { _ in if cursor.terms != nil { cursor.attend(&served) } }
    carryOut(served)
  }

  /// Has the log forget what the replay of a cursor has behind it, and the upstream asked for what
  /// there is room for.
  func unpin(_ cursor: PullCursor<Element, End>) {
    if tryEnter() {
      movePin(cursor)
      return leave(isLimited: true)
    }
    let isHolding = withInbox { inbox in
      inbox.unpinned.append(cursor)
      return drain.announce(.control)
    }
    if isHolding { runOut(isLimited: true) }
  }

  /// Moves the pins that were noted, as the holder of the drain.
  @inline(never)
  func movePins() {
    var unpinned: [AnyObject] = []
    withInbox { swap(&$0.unpinned, &unpinned) }
    for object in unpinned { movePin(cursor(object)) }
  }

  /// Moves the place from which on the log is kept for a cursor, as the holder of the drain.
  func movePin(_ cursor: PullCursor<Element, End>) {
    if cursor.size > 0 || rules.startRequests != nil { noteDemandDue() }
    // A result of the closure would have its type looked up.
    var (known, wanted): (PullCursor<Element, End>.Replay?, PullCursor<Element, End>.Replay?)
    withInbox { _ in
      cursor.isPinNoted = false
      (known, wanted) = (cursor.pinned, cursor.replay)
      cursor.pinned = wanted
    }
    guard let known else { return }
    if let wanted { Chunk<Element>(wanted.chunk).changeResting(at: wanted.index, arriving: true) }
    Chunk<Element>(known.chunk).changeResting(at: known.index, arriving: false)
    trim()
  }
}

/// The replay that a loop gets at the place where it joins.
struct PullStart<Element> {
  /// The number of the newest values of the hub's log that are part of it.
  var logged = 0
  /// The values behind these.
  var values: [Element] = []
  /// Whether the loop may have missed values in front of it.
  var hasUnknownGap = false
}
