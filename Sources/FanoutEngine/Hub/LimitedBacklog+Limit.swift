// No function here calls user code, but for those that say so: a loop's backlog is changed under a
// lock.

/// The work that is left when the policy of a backlog was applied.
struct PolicyResult: Sendable {
  /// Whether the values are to be conflated.
  var isToConflate = false
  /// Whether the receiver is to go on where a newcomer starts, if that lies ahead.
  var isToRejoin = false
  /// The number of the time that begins, for which the upstream waits.
  var epoch: Int?

  init() {}
}

extension LimitedBacklog {
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
      // What was let in before the time was over stays: only a value that arrives can be one too
      // many.
      guard patience.isOver, measure.arrived > 0 else { return result }
      overflow = policy.finalOverflow
    }
    if case .conflates = overflow, live > 0 {
      result.isToConflate = measure?.conflation?.isActive == true || isOver(live)
      return result
    }
    guard live > 0, isOver(live) else { return result }
    let resting = isCollecting ? nil : cursor
    switch overflow {
    case .dropsOldest: dropOldest(of: live, resting, to: released())
    case .dropsNewest: dropNewest(of: live, resting, to: released())
    case .ends:
      dropNewest(of: live, resting, to: released())
      hasEnd = true
    case .rejoins: result.isToRejoin = true
    case .conflates, .waits: break
    }
    return result
  }

  /// Notes whether the backlog is full by now; returns the number of the time that begins, if one
  /// does.
  func noteRoom() -> Int? {
    guard let patience = measure?.patience else { return nil }
    return patience.note(isFull: isFull(count))
  }

  /// Drops the oldest values that wait, behind what is reserved, so that the others stay within the
  /// limits.
  private func dropOldest(
    of live: Int, _ resting: Cursor<Element, End>?, to released: ValueQueue<Element>?
  ) {
    if let resting {
      return resting.hub._withUnsafeGuaranteedRef { $0.dropOldest(of: live, resting, self) }
    }
    while count > 0, isOver(count) { dropOldest(to: released) }
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
    while left > 0, isOver(count) {
      dropNewest(to: released)
      left &-= 1
    }
  }

  /// Drops all values that count, because the receiver goes on behind them.
  func dropLive(to released: ValueQueue<Element>?) {
    rejoinCount &+= 1
    while count > 0 { dropNewest(to: released) }
  }

  /// Returns whether too much waits of a connection that began at a position; the values of an
  /// earlier one are kept until then.
  func lacksEnough(openedAt: Int) -> Bool {
    // Values of an earlier connection lie in front of all others.
    let live = entries.live
    if count == 0 || live[0].position >= openedAt { return true }
    if count > policy.count, live[count &- 1 &- policy.count].position >= openedAt { return true }
    guard let measure, measure.meter.costs != nil else { return false }
    let later = live.all.count { $0.position >= openedAt }
    return measure.meter.isOver(last: later)
  }

  /// Lets one value wait for each key, behind what is reserved; returns how many have made way.
  ///
  /// It calls the closures that find keys and merge values, and releases what has made way.
  func conflate() -> Int {
    guard var conflation = measure?.conflation else { return 0 }
    let first = log.head
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
      let added = arrived.map { _ in entries.removeLast() }
      for (element, entry) in zip(arrived, added).reversed() { put(element, entry) }
    }
    entries.miss(lost)
    conflation.indexedEnd = log.end
    measure?.conflation = conflation
    // What has made way is released when the state is consistent.
    return withExtendedLifetime(released) { released.count }
  }

  /// Begins anew to conflate; returns the object that holds the keys of what was taken, for the
  /// caller to release.
  func endConflation() -> AnyObject? {
    guard case .conflates = policy.overflow, measure?.conflation?.isActive == true
    else { return nil }
    let ended = measure
    measure = BacklogMeasure(policy)
    return ended
  }

  /// The number of values that have to be conflated before the receiver takes any.
  var unconflatedCount: Int {
    // Asked first, so that nothing is looked up for others.
    guard case .conflates = policy.overflow, let conflation = measure?.conflation else { return 0 }
    if conflation.isActive { return log.end &- max(conflation.indexedEnd, log.head) }
    return isOver(count) ? count : 0
  }
}
