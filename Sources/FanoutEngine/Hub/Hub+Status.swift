// A thread that does not hold the drain begins to read the replay under the lock of the inbox, after it has set the
// note `.attention`, while `memoryIsFree` or `replayIsStable` says that the holder calls receivers; it counts itself
// in `readers` there, and reads outside the lock. Before the holder changes the replay, it looks at the notes by a
// read-modify-write or takes that lock, and then waits until nobody reads (`meetReaders()`, `takeAttention()`,
// `takeBatch()`). Relaxed load: only the holder changes `replayIsStable`.

internal import Synchronization

/// The account of one receiver that has a backlog with a policy.
public struct ReceiverStatus: Sendable {
  /// The name that the receiver joined with.
  public let label: String?
  /// The number of values that wait for it.
  public let waiting: Int
  /// The number of values that it has missed since it joined.
  public let missed: Int
  /// The number of times that it has gone on where a newcomer would start.
  public let rejoins: Int
}

/// An observer of the number of a hub's receivers.
open class ReceiverCounter {
  /// Creates an observer.
  public init() {}

  /// Receives the number of receivers; called by the holder of the drain, in order.
  open func receive(count: Int) {}
}

extension Hub {
  /// Returns the values that a newcomer would get now.
  ///
  /// It does not wait until a receiver returns. While a closure of the policy runs, it tries again for a short time,
  /// and is empty then.
  public func lookAtReplay() -> [Element] {
    guard rules.mode != .lossy else { return [] }
    if drain.tryEnter() {
      let contents = currentReplay()
      leave(isLimited: true)
      return contents
    }
    // Between two calls of receivers the holder is soon done. In a closure of the policy, it may be this thread.
    for _ in 0..<Self.attempts {
      if let contents = borrowContents() { return contents }
      #if FANOUT_EXPLORER
        SchedulePoint.pause()
      #endif
    }
    return []
  }

  private static var attempts: Int { 1_000_000 }

  /// Reads the replay while the holder of the drain calls a receiver; returns nil if it does not.
  private func borrowContents() -> [Element]? {
    var isHolding = false
    let queued = inbox.withLock { inbox -> [Work<Element, End>]? in
      isHolding = drain.announce(.attention)
      if !isHolding {
        guard
          signals.memoryIsFree.load(ordering: .acquiring)
            || signals.replayIsStable.load(ordering: .acquiring)
        else { return nil }
        signals.readers.wrappingAdd(1, ordering: .acquiringAndReleasing)
      }
      return worklist.batch.reversed() + inbox.work
    }
    guard let queued else { return nil }
    // Outside the lock: a cache and its values are user code.
    let contents = replay(currentReplay(), after: queued)
    if isHolding {
      runOut(isLimited: true)
    } else {
      signals.readers.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
    return contents
  }

  /// Returns the values that a newcomer would get from what has been delivered.
  private func currentReplay() -> [Element] {
    guard rules.mode == .log else { return replayContents() }
    guard retention.starting.availability == .available else { return [] }
    let headers = retention.starting.headers?.contents(retention.starting.clearedAt) ?? []
    return headers.map(\.value) + retention.log.cachedValues
  }

  /// Returns the values that a newcomer would get after work that waits for the thread that delivers, as far as no
  /// cache and no headers decide that.
  private func replay(_ contents: [Element], after queued: [Work<Element, End>]) -> [Element] {
    let isSimple = rules.mode == .log && retention.keeping != .withCare
    guard !queued.isEmpty, isSimple || rules.mode == .newest else { return contents }
    var values = contents
    for work in queued {
      switch work {
      case .value(let element): values.append(element)
      case .end: if rules.newestIsOvertaken { values = [] }
      case .clear: if !rules.tellsNewest { values = [] }
      case .open, .close: values = []
      case .join, .joinPulling, .upstream, .count, .report, .withdrawn: break
      }
    }
    if rules.mode == .newest { return values.suffix(1) }
    if let isKeyframe = rules.isKeyframe, let start = values.lastIndex(where: isKeyframe) {
      return Array(values[start...])
    }
    return values.suffix(rules.limit)
  }

  /// The accounts of the receivers that have a backlog with a policy, in the order in which they joined, and then those
  /// of the loops that the upstream waits for.
  public var receiverStatus: [ReceiverStatus] {
    if !signals.isWatched.exchange(true, ordering: .acquiringAndReleasing) {
      leaveStatus(.report) { $0.reportAll() }
    }
    let (limited, loops) = inbox.withLock { inbox in
      (Array(inbox.limited.members), inbox.tap?.waitingCounts ?? [])
    }
    let receivers = limited.map { backlog in
      ReceiverStatus(
        label: backlog.label, waiting: backlog.reported.waiting.load(ordering: .acquiring),
        missed: backlog.reported.missed.load(ordering: .acquiring),
        rejoins: backlog.reported.rejoins.load(ordering: .acquiring))
    }
    return receivers + loops.map { ReceiverStatus(label: nil, waiting: $0, missed: 0, rejoins: 0) }
  }

  /// Returns the counter of receivers, after it has set one if there was none.
  public func receiverCounter(_ make: () -> ReceiverCounter) -> ReceiverCounter {
    if let known = signals.counter.object { return unsafeDowncast(known, to: ReceiverCounter.self) }
    let counter = signals.counter.setIfEmpty(make())
    tellCountLater()
    return unsafeDowncast(counter, to: ReceiverCounter.self)
  }

  /// Has the holder of the drain tell the number of receivers, if somebody wants to know.
  @usableFromInline
  func tellCountLater() {
    guard signals.counter.isSet else { return }
    let acceptance = inbox.withLock { inbox -> Acceptance in
      if drain.tryEnter() { return .direct }
      // The number that is told is the one of that moment.
      if inbox.isCountQueued { return .left }
      inbox.isCountQueued = true
      return leave(.count, &inbox)
    }
    act(on: acceptance) { $0.tellCount() }
  }

  /// Does something as the holder of the drain, or leaves it to the one who is.
  private func leaveStatus(_ work: Work<Element, End>, _ body: (Hub) -> Void) {
    act(on: inbox.withLock { drain.tryEnter() ? .direct : leave(work, &$0) }, body)
  }

  private func act(on acceptance: Acceptance, _ body: (Hub) -> Void) {
    switch acceptance {
    case .direct:
      body(self)
      leave(isLimited: true)
    case .holding: runOut(isLimited: true)
    case .refused, .left, .tapped: break
    }
  }

  /// Makes the accounts of all receivers readable, for the first who reads them.
  @usableFromInline
  func reportAll() {
    // From now on their accounts are kept readable for each value.
    if members.stalled.count > 0 { resumeStalled() }
    for cursor in members.slots.cursors { report(cursor) }
  }

  /// Tells the number of receivers, as the holder of the drain.
  @inlinable
  func tellCount() {
    if signals.counter.isSet { tellTheCount() }
  }

  @usableFromInline
  @inline(never)
  func tellTheCount() {
    guard let counter = signals.counter.object else { return }
    let loops = inbox.withLock { $0.tap?.cursors.count ?? 0 }
    let wasStable = signals.replayIsStable.load(ordering: .relaxed)
    signals.replayIsStable.store(true, ordering: .releasing)
    unsafeDowncast(counter, to: ReceiverCounter.self)
      .receive(count: members.slots.occupied &+ loops)
    signals.replayIsStable.store(wasStable, ordering: .releasing)
  }
}

@available(*, unavailable)
extension ReceiverCounter: Sendable {}
