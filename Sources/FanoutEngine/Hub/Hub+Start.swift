// Every function here is called by the holder of the drain. Calls of user code, such as a receiver
// that starts, are made when the cursor and the log are consistent.

internal import Synchronization

extension Hub {
  /// The number of values that have been accepted, as a position.
  package var acceptedCount: Int { retention.log.end &+ retention.starting.offLog }

  /// Keeps a value in a log that has headers, or whose newcomers cannot all start at once.
  @inline(never)
  func rememberWithStarts(_ element: Element) {
    recording { recordWithStarts(element) }
    // A receiver may be about to rest at the value, so that it stays until the pass is over.
    if members.irregular > 0, retention.starting.availability != .notYet {
      retention.passFloor = retention.log.end &- 1
    }
    trim()
  }

  func recordWithStarts(_ element: Element) {
    // What closures say is known before anything changes.
    let isStart = rules.isKeyframe?(element) ?? false
    let mayStart = isStart || retention.starting.availability != .notYet
    let measure = mayStart ? retention.starting.meter.measure(element) : (0, 0)
    if isStart {
      retention.starting.availability = .available
      // What lies before the keyframe is forgotten, but for its headers.
      moveStart(to: retention.log.end)
      if members.awaiting > 0 { startAwaiting() }
    }
    guard retention.starting.availability != .notYet else {
      // No receiver gets it, but for those that get it as a header.
      _ = retention.starting.headers?.record(element, acceptedCount)
      retention.starting.offLog &+= 1
      return
    }
    retention.log.append(element)
    if rules.limits != nil { retention.starting.meter.append(measure) }
    var isOver: Bool {
      retention.log.cachedCount > rules.limit || retention.starting.meter.isOver
    }
    if rules.keepsUndelivered, members.slots.occupied > 0 {
      moveStart(to: retention.log.end)
    } else if rules.isKeyframe == nil {
      while isOver { moveStart(to: retention.log.start &+ 1) }
    } else if isOver || retention.starting.availability == .exceeded {
      retention.starting.availability = .exceeded
      moveStart(to: retention.log.end)
    }
  }

  /// Moves the start behind the values that have become too old, or lets newcomers wait for the
  /// next keyframe.
  func expireStart() {
    // Without a limit nothing is measured, and no method is called, which would have its type
    // looked up.
    guard retention.starting.meter.count > 0, retention.starting.availability == .available
    else { return }
    let excess = retention.starting.meter.tooOldCount(at: retention.starting.meter.now)
    guard excess > 0 else { return }
    if rules.isKeyframe != nil { retention.starting.availability = .exceeded }
    moveStart(to: rules.isKeyframe == nil ? retention.log.start &+ excess : retention.log.end)
    trim()
    meetReaders()
  }

  /// Moves the start of the log, and notes the headers that lie before it then.
  func moveStart(to place: Int) {
    retention.starting.meter.keepLast(retention.log.end &- place)
    guard let headers = retention.starting.headers else {
      while retention.log.start < place { retention.log.forgetOne() }
      return
    }
    while retention.log.start < place, let chunk = retention.log.startChunk {
      let index = retention.log.start
      let element = chunk.slot(index).pointee
      // A header that it replaces is released when this one counts as a header only.
      retention.log.forgetOne()
      _ = headers.record(element, index &+ retention.starting.offLog)
    }
  }

  /// Starts the receivers that wait, with the headers that they lack.
  ///
  /// At the beginning of a connection those stay that wait for a keyframe.
  @inline(never)
  func startAwaiting(isKeyframe: Bool = true) {
    var started: [Cursor<Element, End>] = []
    forEachCursor { cursor in
      guard cursor.awaitsStart, isKeyframe || cursor.limitedBacklog?.wait.needsKeyframe != true
      else { return }
      if let backlog = cursor.limitedBacklog { endWait(of: cursor, backlog) }
      setAwaitsStart(cursor, false)
      started.append(cursor)
      giveHeaders(to: cursor)
    }
    // Only now, when each has its place: what a receiver reads may be released then, and its calls
    // may cancel others.
    let wasPassing = members.isPassing
    members.isPassing = true
    for cursor in started { run(cursor) }
    meetReaders()
    members.isPassing = wasPassing
  }

  /// Gives a receiver that waits for a start, or has waited, the headers that it lacks, behind all
  /// that waits for it.
  ///
  /// They are reserved for it, unless values wait in front of them that are not: then they count
  /// like those.
  func giveHeaders(to cursor: Cursor<Element, End>) {
    guard let headers = retention.starting.headers else { return }
    guard let backlog = cursor.limitedBacklog else {
      return give(headers.contents(retention.starting.clearedAt), to: cursor)
    }
    let isReserved = liveCount(cursor, backlog) == 0
    for header in headers.contents(backlog.wait.headersFrom)
    where backlog.selection?.takesHeader(header.value, at: header.place) != false {
      backlog.append(header.value, Entry(at: header.place, isInFront: true, isContext: true))
      if !isReserved { backlog.measure?.noteArrival(of: header.value) }
    }
    if isReserved { backlog.reserve() }
    if backlog.ownCount > 0 { setBehind(cursor, true) }
    backlog.wait.headersFrom = acceptedCount
  }

  /// Gives headers to a receiver without a backlog, behind all that waits for it.
  private func give(_ headers: [(place: Int, value: Element)], to cursor: Cursor<Element, End>) {
    guard !headers.isEmpty else { return }
    let values = cursor.ownValues
    if let raw = cursor.chunk {
      // It lags behind an earlier connection.
      let chunk = Chunk<Element>(raw)
      let place = chunk.index(at: cursor.offset)
      for element in retention.log.values(from: chunk, at: place) { values.append(element) }
      unrest(cursor)
      trim()
    }
    for header in headers { values.append(header.value) }
    setBehind(cursor, true)
  }

  /// Lets a receiver wait in the log from a place on, if it does not rest there already.
  func restInLog(_ cursor: Cursor<Element, End>, at place: Int) {
    guard cursor.chunk == nil, place < retention.log.end, let first = retention.log.first else {
      return
    }
    rest(cursor, from: first, at: place)
    setBehind(cursor, true)
  }

  /// Lets a receiver wait in the log from its start on.
  func restAtStart(_ cursor: Cursor<Element, End>) {
    guard retention.log.cachedCount > 0, let chunk = retention.log.startChunk else { return }
    rest(cursor, at: retention.log.start, in: chunk)
    setBehind(cursor, true)
  }

  /// Notes that a receiver waits for the next start; `known` is the position from which on it lacks
  /// headers, if it has got some.
  func awaitStart(
    _ cursor: Cursor<Element, End>, headersFrom known: Int? = nil, needsKeyframe: Bool = false
  ) {
    guard !cursor.awaitsStart else { return }
    if cursor.isStalled { resume(cursor) }
    if let backlog = cursor.limitedBacklog {
      backlog.wait = StartWait()
      backlog.wait.from = acceptedCount
      backlog.wait.headersFrom = known ?? retention.starting.clearedAt
      backlog.wait.needsKeyframe = needsKeyframe
      backlog.selection?.wait = SelectionWait()
      backlog.selection?.wait.from = acceptedCount
    }
    setAwaitsStart(cursor, true)
  }

  /// Returns the number of values that have passed a receiver since it waits for a start.
  func goneCount(_ backlog: LimitedBacklog<Element, End>) -> Int {
    backlog.selection?.wait.gone ?? acceptedCount &- (backlog.wait.from ?? acceptedCount)
  }

  /// Closes the account of a receiver that waits for a start: what has passed it is missed.
  func endWait(of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    backlog.miss(goneCount(backlog))
    backlog.selection?.wait.gone = 0
    backlog.wait.from = nil
  }

  /// Gives headers from before a clear to the receivers that wait already.
  ///
  /// A receiver that joins later does not get them, nor does one that waits behind the end.
  func clearHeaders() {
    guard retention.starting.headers != nil else { return }
    forEachCursor { cursor in
      guard cursor.awaitsStart, !retention.hasEnd else { return }
      giveHeaders(to: cursor)
      worklist.addDue(cursor)
    }
    retention.starting.clearedAt = acceptedCount
  }

  func setAwaitsStart(_ cursor: Cursor<Element, End>, _ awaits: Bool) {
    let bit = CursorSignal.awaitsStart
    if awaits {
      cursor.signals.bitwiseOr(bit, ordering: .relaxed)
      members.awaiting &+= 1
    } else {
      cursor.signals.bitwiseAnd(~bit, ordering: .relaxed)
      members.awaiting &-= 1
    }
    if rules.startRequests != nil { noteDemandDue() }
  }

  /// Gives a newcomer what it starts with, as far as it can start now.
  @inline(never)
  func enterAtStart(_ cursor: Cursor<Element, End>) {
    expireStart()
    guard retention.starting.availability == .available else { return awaitStart(cursor) }
    giveHeaders(to: cursor)
    restAtStart(cursor)
    // No other receiver gets what the first one has taken.
    if rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Begins with nothing retained: every receiver starts at the beginning, if that counts, or else
  /// waits.
  func renewStart(opening: Bool) {
    let old = retention.starting.headers
    retention.starting.headers = opening ? rules.makeHeaders?() : nil
    retention.starting.clearedAt = .min
    retention.starting.availability = rules.startsAtBeginning ? .available : .notYet
    whileStable { withExtendedLifetime(old) {} }
    meetReaders()
    guard opening else { return }
    if rules.startsAtBeginning {
      if members.awaiting > 0 { startAwaiting(isKeyframe: false) }
    } else {
      forEachCursor { cursor in
        guard cursor.limitedBacklog?.hasEnd != true else { return }
        awaitStart(cursor)
        updateRegularity(cursor)
      }
    }
  }
}
