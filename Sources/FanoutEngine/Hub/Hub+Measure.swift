// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent; so do the calls of the closures that return costs and keys.

public import Synchronization

/// The measures of a backlog that more than a number of values limits.
///
/// The meter measures the newest of the values that wait behind the replay. Only headers, which wait in front of these,
/// may be without a measure.
@_fixed_layout @usableFromInline
package final class BacklogMeasure<Element, End> {
  @exclusivity(unchecked) @usableFromInline package var meter: ValueMeter<Element>
  @exclusivity(unchecked) @usableFromInline package var conflation: ConflationState<Element>?
  @usableFromInline package let patience: BacklogPatience<Element, End>?
  /// The number of values that have come to wait since the policy was applied last.
  @exclusivity(unchecked) @usableFromInline var arrived = 0

  @inlinable
  init(_ policy: BacklogPolicy<Element, End>, _ cursor: Cursor<Element, End>) {
    meter = ValueMeter(policy.limits)
    if case .conflates(let rule) = policy.overflow { conflation = ConflationState(rule) }
    patience = policy.patience.map { BacklogPatience($0, cursor) }
    noteCreation(of: self, isPart: true)
  }

  /// Returns how many of the oldest `live` values have to go so that the others stay within the limits.
  @inlinable
  func takeExcess(of live: Int, over count: Int, now: Bool) -> Int {
    var left = live
    while left > 0, left > count || meter.isOver(now: now) {
      if meter.count == left { meter.removeFirst() }
      left &-= 1
    }
    return live &- left
  }

  /// Returns how many of the newest `live` values have to go so that the others stay within the limits; a value that
  /// was let in while the upstream waited stays.
  @inlinable
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
  /// Keeps a value for a receiver that cannot take it, and measures it.
  @inlinable
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
    guard cursor.isReady else { return }
    keepWithinLimit(cursor)
    guard backlog.end != nil, hasAll(cursor, backlog) else { return }
    // It gets its end at once. Running it may release it, also from its slot.
    let strong = Unmanaged.passRetained(cursor)
    run(cursor)
    strong.release()
    // The pass goes on.
    signals.replayIsStable.store(true, ordering: .releasing)
  }

  /// Measures the newest of the values that wait for a receiver.
  @inlinable
  func note(
    _ element: Element, for cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    let earlier = liveCount(cursor, backlog) &- 1
    measure.arrived &+= 1
    if earlier == 0 { measure.conflation?.end() }
    guard measure.conflation?.isActive != true else { return }
    measure.meter.keepLast(earlier)
    measure.meter.append(element)
  }

  /// Applies a policy by which more than the number of values decides about them.
  @inlinable
  @inline(never)
  func keepWithinMeasure(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>, now: Bool = false
  ) {
    guard backlog.end == nil else { return }
    defer { measure.arrived = 0 }
    let live = liveCount(cursor, backlog)
    let count = backlog.policy.count
    let hasTaken = measure.meter.count > live
    measure.meter.keepLast(live)
    // What the keys of values that were taken hold goes with them.
    if live == 0 { measure.conflation?.end() }
    var overflow = backlog.policy.overflow
    if backlog.policy.limitsDemand {
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
      let excess = measure.takeExcess(of: live, over: count, now: now)
      if excess > 0 { dropOldest(excess, behind: replay, of: cursor, backlog) }
    case .dropsNewest:
      let excess = measure.takeNewExcess(of: live, over: count)
      if excess > 0 { keepOldest(replay &+ live &- excess, replay, of: cursor, backlog) }
    case .ends(let makeEnd):
      let excess = measure.takeNewExcess(of: live, over: count)
      guard excess > 0 else { return }
      keepOldest(replay &+ live &- excess, replay, of: cursor, backlog)
      if cursor.awaitsStart { leaveWait(cursor, backlog) }
      backlog.end = makeEnd()
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

  /// Notes whether a backlog that holds the upstream back is full.
  @inlinable
  func updatePatience(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>
  ) {
    guard let patience = measure.patience else { return }
    let live = liveCount(cursor, backlog)
    patience.update(isFull: live >= backlog.policy.count || measure.meter.isFull)
  }

  /// Lets one value wait for each key, behind the replay, if there is no room for all of them.
  @inlinable
  func conflate(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>, isOver: Bool
  ) {
    guard var conflation = measure.conflation, conflation.isActive || isOver else { return }
    let replay = replayLeft(cursor, backlog)
    if let raw = cursor.chunk {
      let chunk = Chunk<Element>(raw)
      let index = chunk.index(at: cursor.offset)
      let ownEnd = backlog.log.end
      moveToOwn(backlog, from: index, in: chunk, until: waitingCount(cursor))
      unrest(cursor)
      backlog.setReplayCount(replay)
      let earlier = min(conflation.openedInLog &- index, backlog.log.end &- ownEnd)
      if earlier > 0 { conflation.openedAt = ownEnd &+ earlier }
      trim()
    }
    let first = max(backlog.log.head &+ replay, conflation.openedAt)
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

  /// Lets values of a new connection wait behind those of the one before, and never in their place.
  @inlinable
  @inline(never)
  func separateConnections() {
    for index in 0..<members.slots.count {
      guard let cursor = members.slots[index].demandCursor?.takeUnretainedValue(),
        let backlog = cursor.limitedBacklog, let measure = backlog.measure
      else { continue }
      measure.conflation?.openedAt = backlog.log.end
      measure.conflation?.openedInLog = retention.log.end
    }
  }

  /// Conflates the newest values that wait; returns those that have made way.
  @inlinable
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
