// No function here calls user code, but for those that say so: a loop's backlog is changed under a lock.

/// What is left to do when the policy of a backlog was applied.
struct PolicyResult: Sendable {
  /// Whether the receiver gets an end of its own, which is to be made.
  var isToEnd = false
  /// Whether the values are to be conflated.
  var isToConflate = false
  /// Whether the receiver is to go on where a newcomer starts, if that lies ahead.
  var isToRejoin = false
  /// The number of the time that begins, for which the upstream waits.
  var epoch: Int?

  init() {}
}

extension LimitedBacklog {
  /// The number of values here that count.
  var ownLiveCount: Int { count &- reservedCount }

  /// Applies the policy to the values that wait: the one place that says what a full backlog does.
  ///
  /// - Parameters:
  ///   - live: The number of values that wait and count.
  ///   - cursor: The cursor of a subscriber; only for one that collects nothing it matters.
  ///   - released: The queue for what is dropped, if that may not be released here.
  /// - Returns: What is left to do; it calls user code, or needs to know the hub.
  func keepWithinLimit(
    live: Int, _ cursor: Cursor<Element, End>?,
    to released: @autoclosure () -> ValueQueue<Element>?
  ) -> PolicyResult {
    var result = PolicyResult()
    defer {
      measure?.arrived = 0
      measure?.hasTaken = false
    }
    var overflow = policy.overflow
    if overflow == .waits {
      guard let measure, let patience = measure.patience else { return result }
      result.epoch = patience.note(isFull: isFull(live), hasTaken: measure.hasTaken)
      // What was let in before the time was over stays: only a value that arrives can be one too many.
      guard patience.isOver, measure.arrived > 0 else { return result }
      overflow = patience.then
    }
    result.isToConflate = live > 0 && measure?.conflation?.isActive == true
    guard live > 0, isOver(live) else { return result }
    let resting = isCollecting ? nil : cursor
    switch overflow {
    case .dropsOldest: dropOldest(of: live, resting, to: released())
    case .dropsNewest: dropNewest(of: live, resting, to: released())
    case .ends:
      dropNewest(of: live, resting, to: released())
      (hasEnd, result.isToEnd) = (true, true)
    case .rejoins: result.isToRejoin = true
    case .conflates: result.isToConflate = true
    case .waits: break
    }
    return result
  }

  /// Notes in a result whether the backlog is full, now that the policy was applied.
  func noteRoom(_ result: inout PolicyResult) {
    guard let patience = measure?.patience else { return }
    result.epoch = patience.note(isFull: isFull(ownLiveCount)) ?? result.epoch
  }

  /// Drops the oldest values that wait, behind what is reserved, so that the others stay within the limits.
  private func dropOldest(
    of live: Int, _ resting: Cursor<Element, End>?, to released: ValueQueue<Element>?
  ) {
    if let resting {
      return resting.hub._withUnsafeGuaranteedRef { $0.dropOldest(of: live, resting, self) }
    }
    while ownLiveCount > 0, isOver(ownLiveCount) { dropOldest(to: released) }
  }

  /// Drops the newest values that wait, so that the others stay within the limits.
  private func dropNewest(
    of live: Int, _ resting: Cursor<Element, End>?, to released: ValueQueue<Element>?
  ) {
    if let resting {
      return resting.hub._withUnsafeGuaranteedRef { $0.dropNewest(resting, self) }
    }
    // A value that was let in while the upstream waited stays.
    var left = measure?.patience == nil ? live : min(live, measure?.arrived ?? 0)
    while left > 0, isOver(ownLiveCount) {
      dropNewest(to: released)
      left &-= 1
    }
  }

  /// Drops all values that count, because the receiver goes on behind them.
  func dropLive(to released: ValueQueue<Element>?) {
    rejoinCount &+= 1
    while count > reservedCount { dropNewest(to: released) }
  }

  /// Returns whether too much waits of a connection that began at a position; the values of an earlier one are kept
  /// until then.
  func lacksEnough(openedAt: Int) -> Bool {
    let live = entries.suffix(from: reservedCount)
    let count = live.count { $0.position >= openedAt }
    return count == live.count || count > policy.count
      || measure?.meter.isOver(last: count) == true
  }

  /// Lets one value wait for each key, behind what is reserved; returns how many have made way.
  ///
  /// It calls the closures that find keys and merge values, and releases what has made way.
  func conflate() -> Int {
    guard var conflation = measure?.conflation else { return 0 }
    let first = log.head &+ reservedCount
    if !conflation.isActive {
      conflation.begin(at: first)
      measure?.meter.keepLast(0)
    }
    var (released, lost): ([Element], Int) = ([], 0)
    func put(_ element: Element, _ entry: Entry) {
      if let old = conflation.put(element, into: self, from: first) {
        released.append(old)
        lost &+= entry.missed
      } else {
        entries.putBack(entry, missing: lost)
        lost = 0
      }
    }
    let arriving = log.end &- max(conflation.indexedEnd, first)
    if arriving == 1, let element = popLast() {
      put(element, entries.removeLast())
    } else {
      let arrived = (0..<max(0, arriving)).compactMap { _ in popLast() }
      let entries = arrived.map { _ in self.entries.removeLast() }
      for (element, entry) in zip(arrived, entries).reversed() { put(element, entry) }
    }
    entries.miss(lost)
    conflation.indexedEnd = log.end
    measure?.conflation = conflation
    // What has made way is released when the state is consistent.
    return withExtendedLifetime(released) { released.count }
  }

  /// The number of values that have to be conflated before the receiver takes any.
  var unconflatedCount: Int {
    guard let conflation = measure?.conflation else { return 0 }
    if conflation.isActive { return log.end &- max(conflation.indexedEnd, log.head) }
    return isOver(ownLiveCount) ? ownLiveCount : 0
  }
}
