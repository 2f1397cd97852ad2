// Every function here is called by the holder of the drain. Only it marks a cursor as stalled. A
// receiver that requests a value or cancels leaves a message for the holder, which then resumes it.

internal import Synchronization

/// The state of a receiver that lags and has requested nothing: where in the log what it gets next
/// lies.
///
/// A value that goes by changes none of these. What the receiver gets and misses is a difference of
/// positions, which is found when it requests a value, when it leaves, or when there is no room for
/// one more.
enum Stall: Sendable {
  /// It rests at its place in the log, and there is room for more values. Under `.latest` it has no
  /// place: it gets the newest value.
  case resting
  /// The newest values of the log wait for it, as many as its policy allows, since a position.
  case sliding(from: Int)
  /// It is full, and misses each value, since a position.
  case full(from: Int)
  /// It has an end of its own.
  case ended
}

/// The receivers of a hub that are stalled: a value needs no work for them one by one.
struct StalledReceivers: Sendable {
  var count = 0
  /// The number of those that need no value in the log.
  var takingNothing = 0
  /// The numbers of newest values that wait for those that slide, ascending, and how many receivers
  /// have each.
  var windows: [(count: Int, receivers: Int)] = []
  /// The end of the log up to which there is room for each of them.
  var limit = Int.max

  init() {}

  /// Counts a receiver in or out for which the newest `count` values wait; cost: O(log *n*) for *n*
  /// different numbers.
  mutating func changeSliding(by change: Int, count: Int) {
    var (place, end) = (0, windows.count)
    while place < end {
      let middle = (place &+ end) / 2
      if windows[middle].count < count { place = middle &+ 1 } else { end = middle }
    }
    if place == windows.count || windows[place].count != count {
      windows.insert((count, 0), at: place)
    }
    windows[place].receivers &+= change
    if windows[place].receivers == 0 { windows.remove(at: place) }
  }

  /// The number of newest values that are kept for those that slide.
  var window: Int { windows.last?.count ?? 0 }
}

extension Hub {
  /// Offers a value to a receiver that has requested one while the value was going through the
  /// others.
  @inline(never)
  func offerAfterRequest(_ element: Element, to cursor: DemandCursor<Element, End>) {
    guard !cursor.isStopped else { return }
    let backlog = cursor.limitedBacklog
    let known = backlog?.stall ?? .resting
    // Nothing is accepted any more for a receiver that has an end of its own.
    if case .ended = known { return }
    resume(cursor, before: 1)
    if case .full = known { backlog?.append(element, Entry(at: acceptedCount &- 1)) }
    // Running it may release it, also from its slot.
    let strong = Unmanaged.passRetained(cursor)
    run(cursor)
    strong.release()
    // The pass goes on.
    signals.replayIsStable.store(true, ordering: .releasing)
  }

  /// Marks a receiver without a policy that lags and has no credit as stalled, if no value needs
  /// work for it.
  ///
  /// Its requests and its cancel resume it.
  @inline(__always)
  func stall(_ cursor: Cursor<Element, End>) {
    if cursor.chunk == nil {
      // It lacks the newest value, which the hub has. If it is watched, each value is looked at
      // that it misses.
      guard rules.mode == .newest, !members.isWatched else { return }
      members.stalled.takingNothing &+= 1
    }
    cursor.isStalled = true
    members.stalled.count &+= 1
  }

  /// Marks a receiver with a policy that lags and has no credit as stalled, if no value needs work
  /// for it until its backlog is full.
  @inline(never)
  func stallLimited(_ cursor: Cursor<Element, End>) {
    // A receiver that collects is offered each value.
    guard cursor.slot >= 0, !cursor.isSkipped, let backlog = cursor.limitedBacklog,
      !backlog.isCollecting || (backlog.hasEnd && backlog.selection == nil)
    else { return }
    let room = room(of: cursor, backlog)
    if backlog.hasEnd {
      backlog.stall = .ended
      members.stalled.takingNothing &+= 1
    } else if room == 0, cursor.chunk == nil, case .dropsNewest = backlog.policy.overflow {
      backlog.stall = .full(from: acceptedCount)
      members.stalled.takingNothing &+= 1
    } else if room == 0, cursor.chunk != nil, backlog.count == 0,
      reservedCount(cursor, backlog) == backlog.reservedCount,
      case .dropsOldest = backlog.policy.overflow
    {
      beginSliding(cursor, backlog)
    } else {
      guard cursor.chunk != nil, room >= 0 else { return }
      backlog.stall = .resting
      if room < .max {
        members.stalled.limit = min(members.stalled.limit, retention.log.end &+ room)
      }
    }
    cursor.isStalled = true
    members.stalled.count &+= 1
  }

  /// Returns the number of values that a receiver has missed up to now.
  package func missedCount(
    of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) -> Int {
    if cursor.awaitsStart { return backlog.missed &+ goneCount(backlog) }
    return switch backlog.stall {
    case .resting, .ended: backlog.missed
    case .full(let from), .sliding(let from): backlog.missed &+ acceptedCount &- from
    }
  }

  /// Returns the number of values that may still wait for a receiver; less than 0 if too many do.
  func room(of cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>) -> Int {
    guard backlog.policy.count < .max, !backlog.policy.limitsDemand else { return .max }
    return backlog.policy.count &- liveCount(cursor, backlog)
  }

  /// Resumes a receiver: it has its place again, and what it has missed is in its account.
  ///
  /// - Parameters:
  ///   - cursor: The cursor of the receiver.
  ///   - pending: The number of accepted values that the receiver is still to be given.
  @inline(__always)
  func resume(_ cursor: Cursor<Element, End>, before pending: Int = 0) {
    cursor.isStalled = false
    members.stalled.count &-= 1
    // What lies in the log of such a hub is only for attached receivers.
    if rules.mode != .log { retention.log.forgetAll() }
    if cursor.isLimited { return resumeLimited(cursor, before: pending) }
    if cursor.chunk == nil { members.stalled.takingNothing &-= 1 }
  }

  @inline(never)
  func resumeLimited(_ cursor: Cursor<Element, End>, before pending: Int) {
    guard let backlog = cursor.limitedBacklog else { return }
    let known = backlog.stall
    backlog.stall = .resting
    switch known {
    case .resting: break
    case .ended: members.stalled.takingNothing &-= 1
    case .full(let position):
      members.stalled.takingNothing &-= 1
      backlog.miss(acceptedCount &- pending &- position)
    case .sliding(let position):
      backlog.miss(acceptedCount &- pending &- position)
      restInLog(cursor, at: retention.log.end &- pending &- backlog.policy.count)
      endSliding(backlog)
    }
  }

  /// Resumes the receivers for which the value that has just been remembered is one too many.
  @inline(never)
  func resumeFull() {
    var limit = Int.max
    for index in 0..<members.slots.count {
      guard let cursor = slot(index).demandCursor?.takeUnretainedValue(),
        cursor.isStalled, let backlog = cursor.limitedBacklog, case .resting = backlog.stall
      else { continue }
      let room = room(of: cursor, backlog)
      if room < 0 {
        resume(cursor)
      } else if room < .max {
        limit = min(limit, retention.log.end &+ room)
      }
    }
    members.stalled.limit = limit
  }

  /// Lets the newest values of the log wait for a receiver that has as many as its policy allows.
  func beginSliding(
    _ cursor: Cursor<Element, End>, _ backlog: LimitedBacklog<Element, End>
  ) {
    backlog.stall = .sliding(from: acceptedCount)
    members.stalled.changeSliding(by: 1, count: backlog.policy.count)
    moveWindow()
    unrest(cursor)
  }

  func endSliding(_ ended: LimitedBacklog<Element, End>) {
    let known = members.stalled.window
    members.stalled.changeSliding(by: -1, count: ended.policy.count)
    if members.stalled.windows.isEmpty {
      retention.slideFloor = .max
    } else if members.stalled.window < known {
      moveWindow()
    }
  }

  /// Moves the window of newest values on.
  ///
  /// While a value goes through the receivers, the window of those whose turn is still to come ends
  /// before it.
  @inline(__always)
  func moveWindow() {
    let end = members.isPassing ? retention.log.end &- 1 : retention.log.end
    retention.slideFloor = end &- members.stalled.window
  }
}
