// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent; so do the calls of the closures that return costs and keys.

/// The measures of a backlog that more than a number of values limits.
///
/// The meter measures the values that wait behind the replay, unless these are conflated.
package final class BacklogMeasure<Element, End> {
  @exclusivity(unchecked) package var meter: ValueMeter<Element>
  @exclusivity(unchecked) package var conflation: ConflationState<Element>?
  package let patience: BacklogPatience<Element, End>?
  /// The number of values that have come to wait since the policy was applied last.
  @exclusivity(unchecked) var arrived = 0

  init(_ policy: BacklogPolicy<Element, End>, _ cursor: Cursor<Element, End>) {
    meter = ValueMeter(policy.limits)
    if let rule = policy.conflation { conflation = ConflationState(rule) }
    patience = policy.patience.map { BacklogPatience($0, cursor) }
    noteCreation(of: self, isPart: true)
  }

  /// Returns how many of the oldest `live` values have to go so that none of the others is too old now.
  func takeTooOld(of live: Int) -> Int {
    var left = live
    while left > 0, meter.isFirstTooOld(now: true) {
      meter.removeFirst()
      left &-= 1
    }
    return live &- left
  }

  /// Returns how many of the oldest `live` values have to go so that the others stay within the limits.
  func takeExcess(of live: Int, over count: Int) -> Int {
    var left = live
    while left > 0, left > count || meter.isOver {
      meter.removeFirst()
      left &-= 1
    }
    return live &- left
  }

  /// Returns how many of the newest `live` values have to go so that the others stay within the limits; a value that
  /// was let in while the upstream waited stays.
  func takeNewExcess(of live: Int, over count: Int) -> Int {
    var left = live
    let least = patience == nil ? 0 : live &- arrived
    while left > least, left > count || meter.isOver {
      meter.removeLast()
      left &-= 1
    }
    return live &- left
  }
}

extension Hub {
  /// Keeps a value for a receiver that cannot take it, or is about to, and measures it.
  ///
  /// What is too much is found behind that: what the receiver takes now does not wait.
  @inline(never)
  func keepMeasured(
    _ element: Element, for cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    if cursor.chunk == nil, let last = retention.log.last {
      rest(cursor, at: retention.log.end &- 1, in: last)
    }
    setBehind(cursor, true)
    note(element, for: cursor, backlog, measure)
  }

  /// Measures one of the newest values that wait for a receiver; `last` is the number of those from this one on.
  func note(
    _ element: Element, for cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>, last: Int = 1
  ) {
    let earlier = liveCount(cursor, backlog) &- last
    measure.arrived &+= 1
    if earlier == 0 { measure.conflation?.end() }
    guard measure.conflation?.isActive != true else { return }
    measure.meter.keepLast(earlier)
    measure.meter.append(element)
  }

  /// Notes that headers are the last `count` values that wait for a receiver, whose wait for a start is over or for
  /// which the replay was cleared.
  ///
  /// They are its replay, unless it is owed values in front of them that are none: then they count like those.
  func noteHeaders(
    _ count: Int, isReplay: Bool, for cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    if isReplay { return beginLive(backlog) }
    guard let measure = backlog.measure else { return }
    for last in (0..<count).map({ count &- $0 }) {
      let header =
        cursor.chunk == nil
        ? backlog.log.value(at: backlog.log.end &- last)
        : retention.log.value(at: retention.log.end &- last)
      note(header, for: cursor, backlog, measure, last: last)
    }
  }

  /// Keeps the measures of the headers and of the last values with which a receiver goes on at a start.
  ///
  /// - Parameters:
  ///   - headers: The headers, which are among the values that wait.
  ///   - last: The number of the last values, which are measured.
  ///   - cursor: The cursor.
  ///   - backlog: The backlog.
  func keepMeasures(
    of headers: [(place: Int, value: Element)], last: Int, for cursor: Cursor<Element, End>,
    _ backlog: LimitedBacklog<Element, End>
  ) {
    guard let measure = backlog.measure, !headers.isEmpty else { return }
    let known = measure.meter.count
    let unmeasured = waitingCount(cursor) &- known
    let place = cursor.chunk.map { Chunk<Element>($0).index(at: cursor.offset) } ?? .max
    var kept: Set<Int> = []
    var others: [Element] = []
    for header in headers {
      let inLog = header.place &- retention.starting.offLog
      let own = backlog.headers.own.first { $0.position == header.place }
      let index =
        inLog >= place
        ? backlog.count &+ inLog &- place : own.map { $0.index &- backlog.log.head } ?? -1
      if index >= unmeasured {
        kept.insert(index &- unmeasured)
      } else {
        others.append(header.value)
      }
    }
    measure.meter.keep(behind: others) { $0 >= known &- last || kept.contains($0) }
  }

  /// Applies a policy by which more than the number of values decides about them.
  @inline(never)
  func keepWithinMeasure(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    guard !backlog.hasEnd else { return }
    defer { measure.arrived = 0 }
    let live = liveCount(cursor, backlog)
    let count = backlog.policy.count
    let hasTaken = measure.meter.count > live
    measure.meter.keepLast(live)
    // What the keys of values that were taken hold goes with them.
    if live == 0 { measure.conflation?.end() }
    var overflow = backlog.policy.overflow
    if backlog.policy.overflow == .waits {
      noteDemandDue()
      guard let patience = measure.patience else { return }
      patience.update(isFull: live >= count || measure.meter.isFull, hasTaken: hasTaken)
      // What was let in before the time was over stays: only a value that arrives can be one too many.
      guard patience.isOver, measure.arrived > 0 else { return }
      overflow = patience.then
    }
    defer { updatePatience(cursor, backlog, measure) }
    guard cursor.isBehind, live > 0 else { return }
    let replay = replayLeft(cursor, backlog)
    switch overflow {
    case .dropsOldest:
      let excess = measure.takeExcess(of: live, over: count)
      if excess > 0 { dropOldest(excess, behind: replay, of: cursor, backlog) }
    case .dropsNewest:
      let excess = measure.takeNewExcess(of: live, over: count)
      if excess > 0 { keepOldest(replay &+ live &- excess, replay, of: cursor, backlog) }
    case .ends:
      let excess = measure.takeNewExcess(of: live, over: count)
      guard excess > 0 else { return }
      keepOldest(replay &+ live &- excess, replay, of: cursor, backlog)
      if cursor.awaitsStart { leaveWait(cursor, backlog) }
      if let makeEnd = backlog.policy.makeEnd { backlog.begin(makeEnd()) }
    case .rejoins:
      guard live > count || measure.meter.isOver else { return }
      rejoin(cursor, backlog)
      measure.meter.keepLast(liveCount(cursor, backlog))
    case .conflates:
      let isOver = live > count || measure.meter.isOver
      conflate(cursor, backlog, measure, isOver: isOver)
    case .waits: break
    }
  }

  /// Drops the values that have become too old for a receiver that is about to take some.
  ///
  /// What it takes does not wait, so that no other limit is looked at before that.
  @inline(never)
  func dropTooOld(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    let live = liveCount(cursor, backlog)
    measure.meter.keepLast(live)
    let excess = measure.takeTooOld(of: live)
    if excess > 0 { dropOldest(excess, behind: replayLeft(cursor, backlog), of: cursor, backlog) }
  }

  /// Notes whether a backlog that holds the upstream back is full.
  func updatePatience(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    guard let patience = measure.patience else { return }
    let live = liveCount(cursor, backlog)
    patience.update(isFull: live >= backlog.policy.count || measure.meter.isFull)
  }

  /// Lets one value wait for each key, behind the replay, if there is no room for all of them.
  func conflate(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>, isOver: Bool
  ) {
    guard var conflation = measure.conflation, conflation.isActive || isOver else { return }
    let replay = replayLeft(cursor, backlog)
    if let raw = cursor.chunk {
      let chunk = Chunk<Element>(raw)
      let index = chunk.index(at: cursor.offset)
      moveToOwn(backlog, from: index, in: chunk, until: waitingCount(cursor))
      unrest(cursor)
      backlog.setReplayCount(replay)
      trim()
    }
    let first = backlog.log.head &+ replay
    if !conflation.isActive {
      conflation.begin(at: first)
      measure.meter.keepLast(0)
    }
    let arriving = backlog.log.end &- max(conflation.indexedEnd, first)
    var released: Element?
    var others: [Element] = []
    if arriving == 1, let element = backlog.popLast() {
      released = conflation.put(element, into: backlog, from: first)
      if released != nil { backlog.conflated &+= 1 }
    } else if arriving > 1 {
      others = conflateAll(arriving, backlog, conflation, from: first)
    }
    conflation.indexedEnd = backlog.log.end
    measure.conflation = conflation
    // What has made way is released when the state is consistent.
    withExtendedLifetime((released, others)) {}
  }

  /// Conflates the newest values that wait; returns those that have made way.
  @inline(never)
  func conflateAll(
    _ count: Int, _ backlog: LimitedBacklog<Element, End>,
    _ conflation: ConflationState<Element>, from first: Int
  ) -> [Element] {
    var arrived: [Element] = []
    while arrived.count < count, let element = backlog.popLast() { arrived.append(element) }
    var released: [Element] = []
    var removed: [Int] = []
    for element in arrived.reversed() {
      let index = backlog.count &+ removed.count
      guard let old = conflation.put(element, into: backlog, from: first) else { continue }
      released.append(old)
      removed.append(index)
    }
    backlog.conflated &+= removed.count
    backlog.notices?.shorten(by: removed)
    return released
  }
}

@available(*, unavailable)
extension BacklogMeasure: Sendable {}
