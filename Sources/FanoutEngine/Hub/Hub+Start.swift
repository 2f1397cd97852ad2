// Every function here is called by the holder of the drain. Calls of user code, such as a receiver that starts, are
// made when the cursor and the log are consistent.

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
    let own = mayStart ? rules.cost?.of(element) : nil
    if isStart { prepareStart() }
    guard retention.starting.availability != .notYet else {
      // No receiver gets it, but for those that get it as a header.
      _ = retention.starting.headers?.record(element, acceptedCount)
      retention.starting.offLog &+= 1
      return
    }
    retention.log.append(element)
    if let own {
      let (sum, isTooLarge) = (isStart ? 0 : retention.starting.cost)
        .addingReportingOverflow(own)
      retention.starting.cost = isTooLarge ? .max : sum
    }
    if let ages = retention.starting.ages, isStart || retention.log.cachedCount == 1 {
      ages.restart()
    }
    forgetWithStarts(isStart: isStart)
  }

  /// Moves the start of the log as the policy says for a value that has just been appended.
  func forgetWithStarts(isStart: Bool) {
    let isOver =
      retention.log.cachedCount > rules.limit
      || rules.cost.map { retention.starting.cost > $0.limit } ?? false
      || retention.starting.ages?.isFirstTooOld(now: true) == true
    if rules.keepsUndelivered, members.slots.occupied > 0 {
      moveStart(to: retention.log.end)
    } else if rules.isKeyframe == nil {
      if isOver { moveStart(to: retention.log.end &- rules.limit) }
    } else if isOver || retention.starting.availability == .exceeded {
      retention.starting.availability = .exceeded
      moveStart(to: retention.log.end)
    }
  }

  /// Lets newcomers wait for the next keyframe if the first value that they would get has become too old.
  func expireStart() {
    guard retention.starting.availability == .available, retention.log.cachedCount > 0,
      let ages = retention.starting.ages, ages.isFirstTooOld(now: true)
    else { return }
    retention.starting.availability = .exceeded
    moveStart(to: retention.log.end)
    trim()
    meetReaders()
  }

  /// Moves the start of the log, and notes the headers that lie before it then.
  func moveStart(to place: Int) {
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

  /// Lets the receivers that wait start at the keyframe that is about to be remembered.
  func prepareStart() {
    let known = retention.starting.availability
    retention.starting.availability = .available
    // What lies before the keyframe is forgotten, but for its headers.
    moveStart(to: retention.log.end)
    let copies = known == .notYet ? copyHeaders() : nil
    if members.awaiting > 0 { startAwaiting(with: copies) }
  }

  /// Copies the headers into the log, because a receiver of an earlier connection may still rest there, and gets them
  /// behind what it is owed; returns their place, and the positions that they had.
  func copyHeaders() -> (place: Int, positions: [Int])? {
    let headers = retention.starting.headers?.contents(retention.starting.clearedAt) ?? []
    guard !headers.isEmpty else { return nil }
    let place = retention.log.end
    retention.starting.offLog &-= headers.count
    for header in headers {
      let position = acceptedCount
      retention.log.append(header.value)
      _ = retention.starting.headers?.record(header.value, position)
    }
    while retention.log.start < retention.log.end { retention.log.forgetOne() }
    let copied = retention.starting.copies
    retention.starting.copies =
      (copied.upperBound == place ? copied.lowerBound : place)..<retention.log.end
    return (place, headers.map { $0.place })
  }

  /// Starts the receivers that wait: with the headers that they lack, which may have been copied into the log.
  ///
  /// At the beginning of a connection those stay that wait for a keyframe.
  @inline(never)
  func startAwaiting(
    with copies: (place: Int, positions: [Int])? = nil, isKeyframe: Bool = true
  ) {
    var started: [Cursor<Element, End>] = []
    for index in 0..<members.slots.count {
      guard let cursor = slot(index).cursor?.takeUnretainedValue(), cursor.awaitsStart,
        isKeyframe || cursor.limitedBacklog?.wait.needsKeyframe != true
      else { continue }
      setAwaitsStart(cursor, false)
      started.append(cursor)
      begin(cursor, with: copies)
    }
    // Only now, when each has its place: what a receiver reads may be released then, and its calls may cancel others.
    let wasPassing = members.isPassing
    members.isPassing = true
    for cursor in started { run(cursor) }
    meetReaders()
    members.isPassing = wasPassing
  }

  /// Gives a receiver that has waited for a start the headers that it lacks.
  func begin(_ cursor: Cursor<Element, End>, with copies: (place: Int, positions: [Int])?) {
    let backlog = cursor.limitedBacklog
    if let backlog, let selection = backlog.selection {
      return giveSelectedHeaders(atStart: true, to: cursor, backlog, selection, copies: copies)
    }
    let inLog = cursor.chunk == nil ? 0 : copies?.positions.count ?? 0
    let owed = waitingCount(cursor) &- inLog
    let isReplay = backlog.map { liveCount(cursor, $0) <= inLog } ?? false
    let known = backlog?.wait.headersFrom ?? retention.starting.clearedAt
    let headers = copies == nil ? retention.starting.headers?.contents(known) ?? [] : []
    let given = copies?.positions ?? headers.map { $0.place }
    backlog?.endWait(at: acceptedCount, given: given, behind: owed)
    give(headers, to: cursor)
    if let copies {
      restInLog(cursor, at: copies.place)
      noteCopies(copies, backlog)
    }
    if let backlog { noteHeaders(given.count, isReplay: isReplay, for: cursor, backlog) }
  }

  /// Notes that copies of headers in the log wait for a receiver.
  func noteCopies(
    _ copies: (place: Int, positions: [Int]), _ backlog: LimitedBacklog<Element, End>?
  ) {
    let position = copies.place &+ retention.starting.offLog
    backlog?.headers.addCopies(of: copies.positions, at: copies.place, from: position)
  }

  /// Lets a receiver wait in the log from a place on, if it does not rest there already.
  func restInLog(_ cursor: Cursor<Element, End>, at place: Int) {
    guard cursor.chunk == nil, place < retention.log.end, var chunk = retention.log.first else {
      return
    }
    while place >= chunk.end, let next = chunk.next { chunk = next }
    rest(cursor, at: place, in: chunk)
    setBehind(cursor, true)
  }

  /// Lets a receiver wait in the log from its start on.
  func restAtStart(_ cursor: Cursor<Element, End>) {
    guard retention.log.cachedCount > 0, let chunk = retention.log.startChunk else { return }
    rest(cursor, at: retention.log.start, in: chunk)
    setBehind(cursor, true)
  }

  /// Gives headers to a receiver, in front of its place in the log.
  func give(_ headers: [(place: Int, value: Element)], to cursor: Cursor<Element, End>) {
    guard !headers.isEmpty else { return }
    let values = cursor.ownValues
    if let backlog = cursor.limitedBacklog {
      backlog.headers.add(headers.map { $0.place }, to: values.log.head..<values.log.end)
    }
    for header in headers { values.append(header.value) }
    setBehind(cursor, true)
  }

  /// Notes that a receiver waits for the next start; `known` is the position behind the last value that it has had, if
  /// it has had one.
  ///
  /// Returns the positions of the headers that it lacks.
  @discardableResult
  func awaitStart(
    _ cursor: Cursor<Element, End>, headersFrom known: Int? = nil, needsKeyframe: Bool = false
  ) -> [Int] {
    guard !cursor.awaitsStart else { return [] }
    if cursor.isStalled { resume(cursor) }
    var lacking: [Int] = []
    if let backlog = cursor.limitedBacklog {
      let position = known ?? retention.starting.clearedAt
      // What a newcomer gets from before it came is no part of its account.
      if known != nil {
        lacking = retention.starting.headers?.contents(position).map { $0.place } ?? []
      }
      backlog.wait = StartWait(
        from: acceptedCount, headersFrom: position,
        pendingHeaders: backlog.headers.count(of: lacking), needsKeyframe: needsKeyframe)
      backlog.selection?.beginWait(at: acceptedCount)
    }
    setAwaitsStart(cursor, true)
    return lacking
  }

  /// Ends the wait for a start of a receiver that gets nothing more.
  @inline(never)
  func leaveWait(_ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) {
    setAwaitsStart(cursor, false)
    backlog.endWait(at: acceptedCount, given: [], behind: waitingCount(cursor))
  }

  /// Closes the accounts of the receivers that wait for a start, because none comes any more.
  func endWaits() {
    for index in 0..<members.slots.count {
      guard let cursor = slot(index).cursor?.takeUnretainedValue(), cursor.awaitsStart,
        let backlog = cursor.limitedBacklog
      else { continue }
      backlog.endWait(at: acceptedCount, given: [], behind: waitingCount(cursor))
      // It waits on, and misses nothing more.
      backlog.wait = StartWait(from: acceptedCount, headersFrom: acceptedCount)
    }
  }

  /// Gives headers from before a clear to the receivers that wait already.
  ///
  /// A receiver that joins later does not get them.
  func clearHeaders() {
    guard let headers = retention.starting.headers else { return }
    // Behind the end no receiver gets them: they are missed already.
    let isEnded = retention.hasEnd
    let copies = retention.starting.availability == .notYet && !isEnded ? copyHeaders() : nil
    for index in 0..<members.slots.count where !isEnded {
      guard let cursor = slot(index).cursor?.takeUnretainedValue(), cursor.awaitsStart
      else { continue }
      if let backlog = cursor.limitedBacklog, let selection = backlog.selection {
        giveSelectedHeaders(atStart: false, to: cursor, backlog, selection, copies: copies)
        worklist.addDue(cursor)
        continue
      }
      let wait = cursor.limitedBacklog?.wait
      let given = headers.contents(wait?.headersFrom ?? retention.starting.clearedAt)
      let inLog = cursor.chunk == nil ? 0 : copies?.positions.count ?? 0
      let isReplay = cursor.limitedBacklog.map { liveCount(cursor, $0) <= inLog } ?? false
      if let copies { restInLog(cursor, at: copies.place) } else { give(given, to: cursor) }
      if let wait, let backlog = cursor.limitedBacklog {
        let positions = copies?.positions ?? given.map { $0.place }
        noteHeaders(positions.count, isReplay: isReplay, for: cursor, backlog)
        let counted = backlog.headers.count(of: positions)
        backlog.wait = StartWait(
          from: acceptedCount &- wait.missed(at: acceptedCount, given: counted),
          headersFrom: acceptedCount, needsKeyframe: wait.needsKeyframe)
      }
      if let copies { noteCopies(copies, cursor.limitedBacklog) }
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
    guard retention.starting.availability == .available else {
      awaitStart(cursor)
      return
    }
    give(retention.starting.headers?.contents(retention.starting.clearedAt) ?? [], to: cursor)
    restAtStart(cursor)
    // No other receiver gets what the first one has taken.
    if rules.keepsUndelivered { moveStart(to: retention.log.end) }
  }

  /// Begins with nothing retained: every receiver starts at the beginning, if that counts, or else waits.
  func renewStart(opening: Bool) {
    let old = retention.starting.headers
    retention.starting.headers = opening ? rules.makeHeaders?() : nil
    retention.starting.cost = 0
    retention.starting.clearedAt = .min
    retention.starting.availability = rules.startsAtBeginning ? .available : .notYet
    releasing { withExtendedLifetime(old) {} }
    meetReaders()
    guard opening else { return }
    if rules.startsAtBeginning {
      if members.awaiting > 0 { startAwaiting(isKeyframe: false) }
    } else {
      for index in 0..<members.slots.count {
        guard let cursor = slot(index).cursor?.takeUnretainedValue(),
          cursor.limitedBacklog?.hasEnd != true
        else { continue }
        awaitStart(cursor)
        updateRegularity(cursor)
      }
    }
  }
}
