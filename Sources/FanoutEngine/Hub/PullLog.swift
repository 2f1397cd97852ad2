// Invariant: a pull log is reached only under the lock of its hub's inbox. Unmanaged references: a
// pull log outlives its `Offering`, and both live as long as the inbox refers to them.

/// The log that the pull cursors of a hub share: every value accepted since the first of them came,
/// until all of them have fetched it.
///
/// A value enters it when it is accepted, not when it is delivered. It exists only while there is a
/// pull cursor.
@usableFromInline package final class PullLog<Element, End> {
  @usableFromInline @exclusivity(unchecked) package var log = Log<Element>()
  @usableFromInline @exclusivity(unchecked) package var cursors =
    ArrivalList<PullCursor<Element, End>>()
  /// The number of cursors for which no value waits here.
  @usableFromInline @exclusivity(unchecked) var caughtUp = 0
  /// The end of the log up to which no cursor can have more waiting values than its limit; found
  /// anew when the log gets there, as it only becomes later for a cursor that takes a value.
  @usableFromInline @exclusivity(unchecked) var limitedEnd: Int
  /// The record of where newcomers start.
  @exclusivity(unchecked) var starts = StartRecord()
  /// Whether a loop for which the upstream still waits had no room when it was looked at last.
  @exclusivity(unchecked) var isHeldBack = false
  /// The place in the list of the loop that was found last with a full backlog.
  @exclusivity(unchecked) var fullPlace = 0
  /// The number of cursors that rejoin.
  @exclusivity(unchecked) var rejoining = 0
  /// The number of loops that wait for a start, or are too slow and have none ahead.
  @exclusivity(unchecked) var lackingStart = 0
  /// Whether the upstream is asked for a start while a loop lacks one.
  let requestsStarts: Bool
  /// Adds a value for the loops, specialised, once a loop has formed it; `Hub.offer` does it until
  /// then.
  @usableFromInline @exclusivity(unchecked) var offering: Offering<Element, End>?
  /// The observer that wants the events of each loop, if there is one.
  @usableFromInline let observer: ReceiverCounter?

  init(_ observer: ReceiverCounter?, requestsStarts: Bool = false) {
    self.observer = observer
    self.requestsStarts = requestsStarts
    limitedEnd = observer == nil ? .max : .min
    noteCreation(of: self, isPart: true)
  }

  deinit { log.destroy() }

  /// Whether a loop rejoins at a start, so that it matters of each value whether it is one.
  var seeksStarts: Bool { starts.count == nil }

  /// Adds a cursor, for which the values that come from now on wait.
  func add(_ cursor: PullCursor<Element, End>) {
    cursors.append(cursor)
    caughtUp &+= 1
    if cursor.isRejoining { rejoining &+= 1 }
    cursor.terms?.joinedAt = log.end
    if let observer { cursor.told.number = observer.noteJoin(label: cursor.terms?.label) }
  }

  /// Adds a value for every attached cursor, with its cost and whether it is a keyframe, if these
  /// matter; returns whether a call may wait for it, or a cursor may have given up values of its
  /// replay.
  ///
  /// Cursors that lag and have room are not looked at: the value lies behind their places.
  func append(_ element: Element, cost: Int, isStart: Bool, _ served: inout DeferredWork) -> Bool {
    if seeksStarts, isStart {
      starts.noteKeyframe(at: log.end)
      endAwaiting()
    }
    log.append(element)
    log.forgetAll()
    guard caughtUp > 0 || log.end > limitedEnd else { return false }
    arrive(costing: cost, &served)
    return true
  }

  /// Adds a value for every attached cursor, if no cost and no start matters; `append` where the
  /// types are known.
  @inlinable
  @inline(__always)
  func push(_ element: Element, _ served: inout DeferredWork) -> Bool {
    log.append(element)
    log.forgetAll()
    guard caughtUp > 0 || log.end > limitedEnd, let last = log.last else { return false }
    let index = log.end &- 1
    var isSimple = log.end <= limitedEnd
    for place in 0..<cursors.placeCount {
      guard let cursor = cursors.member(at: place), cursor.chunk == nil else { continue }
      guard !cursor.isLimited else {
        isSimple = false
        continue
      }
      caughtUp &-= 1
      cursor.chunk = last.raw
      cursor.index = index
      last.changeResting(at: index, arriving: true)
    }
    if !isSimple { arrive(costing: 0, &served) }
    return true
  }

  /// Gives the newest value to each cursor that collects, and each other one for which nothing has
  /// waited its place there.
  @usableFromInline
  @inline(never)
  func arrive(costing cost: Int, _ served: inout DeferredWork) {
    guard let last = log.last else { return }
    let place = log.end &- 1
    let start = rejoining > 0 ? starts.start(before: log.end) : nil
    let arrival = Arrival(position: place, cost: cost, start: start)
    var isCollected = false
    for index in 0..<cursors.placeCount {
      guard let cursor = cursors.member(at: index), cursor.chunk == nil else { continue }
      if let terms = cursor.terms, terms.isCollecting {
        isCollected =
          collect(last.slot(place).pointee, arrival, for: cursor, terms, &served) || isCollected
        continue
      }
      caughtUp &-= 1
      cursor.chunk = last.raw
      cursor.index = place
      last.changeResting(at: place, arriving: true)
      if cursor.isLimited { noteLimit(of: cursor) }
    }
    if log.end > limitedEnd { keepWithinLimits(&served) }
    // Where it was collected there is a copy, so that no user code runs.
    if isCollected, log.head == place { _ = log.releaseForgotten(before: .max) }
    // Perhaps no cursor has taken the newest value.
    while let element = log.takeForgotten(before: .max) { served.rest.skip(element) }
  }

  /// Returns the number of values that wait for a cursor, without its replay and the batch that it
  /// has taken.
  func count(_ cursor: PullCursor<Element, End>) -> Int {
    cursor.chunk == nil ? cursor.collectedCount : log.end &- cursor.index
  }

  /// Returns the number of values that wait for a cursor, with those of its replay and of the batch
  /// that it has taken.
  func waitingCount(_ cursor: PullCursor<Element, End>) -> Int {
    let batched = cursor.mayHaveBatch ? cursor.withBatch { $0.count } : 0
    return cursor.replayCount &+ count(cursor) &+ batched
  }

  /// Returns the account of a cursor.
  func account(of cursor: PullCursor<Element, End>) -> ReceiverStatus {
    let terms = cursor.terms
    let gone = terms?.wait.from.map { log.end &- $0 } ?? 0
    return ReceiverStatus(
      label: terms?.label, waiting: waitingCount(cursor), missed: (terms?.missed ?? 0) &+ gone,
      rejoinCount: terms?.rejoinCount ?? 0, conflated: terms?.conflated ?? 0)
  }

  /// Notes for the observer what is new in the account of a cursor; returns whether anything is.
  @inline(never)
  func report(_ cursor: PullCursor<Element, End>) -> Bool {
    // What has to be conflated may take the place of another value.
    guard let observer, !cursor.isOver, cursor.conflating == nil,
      cursor.terms?.unconflatedCount ?? 0 == 0
    else { return false }
    let limit = cursor.terms?.policy.count ?? .max
    return cursor.told.tell(account(of: cursor), limit: limit, observer)
  }

  /// Takes the next value for a cursor.
  ///
  /// The log gives up only that value, which the caller gets; so this call releases no value.
  @inlinable
  func take(_ cursor: PullCursor<Element, End>) -> Element? {
    guard let chunk = cursor.chunk.map(Chunk<Element>.init) else { return nil }
    let element = chunk.slot(cursor.index).pointee
    move(cursor, in: chunk, by: 1)
    return element
  }

  /// Takes values that wait for a cursor beyond its replay, up to a number of them, oldest first;
  /// as `take(_:)` it releases none.
  @inlinable
  func take(_ cursor: PullCursor<Element, End>, upTo count: Int, into values: inout [Element]) {
    var left = count
    while left > 0, let chunk = cursor.chunk.map(Chunk<Element>.init) {
      let run = min(left, chunk.end &- cursor.index)
      values.append(contentsOf: UnsafeBufferPointer(start: chunk.slot(cursor.index), count: run))
      move(cursor, in: chunk, by: run)
      left &-= run
    }
  }

  /// Moves a cursor behind values of its chunk, and has the log give them up if no other cursor
  /// lacks them.
  @inlinable
  @inline(__always)
  func move(_ cursor: PullCursor<Element, End>, in chunk: Chunk<Element>, by count: Int) {
    let index = cursor.index
    cursor.index &+= count
    let next = cursor.index == chunk.end ? chunk.next : chunk
    cursor.chunk = next?.raw
    if next == nil { caughtUp &+= 1 }
    next?.changeResting(at: cursor.index, arriving: true)
    chunk.changeResting(at: index, arriving: false)
    // A chunk that is first is given up as a whole, and keeps its counts for when it is used again.
    if next?.raw != chunk.raw, chunk.isFull, chunk.raw != log.first?.raw { chunk.freeCounts() }
    for _ in 0..<count where !log.releaseForgotten(before: index &+ count) { break }
  }

  /// Takes values that wait for a cursor beyond its replay into its batch, which is empty.
  @inlinable
  func fillBatch(of cursor: PullCursor<Element, End>) {
    let count = batchCount(for: cursor)
    guard count > 0 else { return }
    cursor.mayHaveBatch = true
    cursor.withBatch { batch in
      take(cursor, upTo: count, into: &batch)
      batch.reverse()
    }
  }

  /// Returns how many values a cursor takes into its batch: none that a policy may drop, or that a
  /// notice goes in front of.
  ///
  /// A loop gets the values of its batch without the lock. If the upstream waits for it, and more
  /// than half of its backlog is full, it takes only so many that more than half is still full
  /// without them. So the call that frees half comes under the lock, and has the upstream asked
  /// unless another backlog is full.
  @usableFromInline
  func batchCount(for cursor: PullCursor<Element, End>) -> Int {
    guard !cursor.isLimited, cursor.replayCount == 0, !cursor.hasNotices else { return 0 }
    let wanted = Self.takenCount(for: cursor, 32) &- 1
    let count = count(cursor)
    let beyondHalf = count &- cursor.size / 2
    return min(count, cursor.size > 0 && beyondHalf > 0 ? min(wanted, beyondHalf &- 1) : wanted)
  }

  /// Returns how many of a number of values a cursor takes at a time.
  ///
  /// One that limits what the upstream is asked for takes half of its backlog at most, so that the
  /// other half can come meanwhile.
  @usableFromInline
  static func takenCount(for cursor: PullCursor<Element, End>, _ count: Int) -> Int {
    cursor.size == 0 ? count : min(count, (cursor.size &+ 1) / 2)
  }

  /// Takes a cursor out; `released` takes what was kept for it alone.
  func remove(_ cursor: PullCursor<Element, End>, released: inout DeferredWork.Rest) {
    if let observer { cursor.told.tellLeave(account(of: cursor), observer) }
    cursors.remove(cursor)
    if cursor.isRejoining { rejoining &-= 1 }
    if let raw = cursor.chunk {
      Chunk<Element>(raw).changeResting(at: cursor.index, arriving: false)
      cursor.chunk = nil
    } else {
      caughtUp &-= 1
    }
    assert(caughtUp == cursors.members.count { $0.chunk == nil })
    while let element = log.takeForgotten(before: .max) { released.skip(element) }
  }
}

/// Code that adds a value for the loops of a hub, formed where the types are known.
///
/// It is an object, because a closure would be retained for each value.
@usableFromInline
final class Offering<Element, End> {
  /// The address of the pull log, which owns this object.
  let log: UnsafeMutableRawPointer
  /// Adds a value for the loops of a hub, under the lock of the inbox.
  let add: (Hub<Element, End>, _ log: UnsafeMutableRawPointer, Element, inout DeferredWork) -> Void

  @usableFromInline
  init(
    for log: UnsafeMutableRawPointer,
    add:
      @escaping (Hub<Element, End>, UnsafeMutableRawPointer, Element, inout DeferredWork) -> Void
  ) {
    self.log = log
    self.add = add
    noteCreation(of: self, isPart: true)
  }
}
