// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent; so do the calls of the closures that return costs and keys.

public import Synchronization

/// The measures of a backlog that more than a number of values limits.
///
/// The meter measures the newest of the values that wait behind the replay. Only headers, which wait in front of these,
/// may be without a measure.
@usableFromInline
package final class BacklogMeasure<Element, End> {
  @exclusivity(unchecked) @usableFromInline package var meter: ValueMeter<Element>
  @exclusivity(unchecked) @usableFromInline package var conflation: ConflationState<Element>?
  @usableFromInline package let patience: BacklogPatience<Element, End>?

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

  /// Returns how many of the newest `live` values have to go so that the others stay within the limits.
  @inlinable
  func takeNewExcess(of live: Int, over count: Int) -> Int {
    var left = live
    while left > 0, left > count || meter.isOver {
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
    let earlier = liveCount(cursor, backlog) &- 1
    if earlier == 0 { measure.conflation?.end() }
    if measure.conflation?.isActive != true {
      measure.meter.keepLast(earlier)
      measure.meter.append(element)
    }
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

  /// Applies a policy by which more than the number of values decides about them.
  @inlinable
  @inline(never)
  func keepWithinMeasure(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>,
    _ measure: BacklogMeasure<Element, End>, now: Bool = false
  ) {
    let live = liveCount(cursor, backlog)
    let count = backlog.policy.count
    measure.meter.keepLast(live)
    var overflow = backlog.policy.overflow
    if backlog.policy.limitsDemand {
      noteDemandDue()
      guard let patience = measure.patience else { return }
      patience.update(isFull: live >= count || measure.meter.isFull)
      guard patience.isOver else { return }
      overflow = patience.then
    }
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
    var arrived: [Element] = []
    while backlog.log.end > max(conflation.indexedEnd, first), let element = backlog.popLast() {
      arrived.append(element)
    }
    var released: [Element] = []
    var removed: [Int] = []
    for element in arrived.reversed() {
      let end = backlog.log.end
      let place = conflation.index.find(element, end, first)
      if place == end {
        backlog.append(element)
      } else {
        let known = backlog.log.value(at: place)
        let merged = conflation.merge?(known, element) ?? element
        released.append(backlog.log.exchange(merged, at: place))
        removed.append(end &- backlog.log.head &+ removed.count)
        backlog.conflated &+= 1
      }
    }
    conflation.indexedEnd = backlog.log.end
    measure.conflation = conflation
    if !removed.isEmpty { backlog.notices?.shorten(by: removed) }
    withExtendedLifetime(released) {}
  }
}

@available(*, unavailable)
extension BacklogMeasure: Sendable {}
