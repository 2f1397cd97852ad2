// A thread that does not hold the drain reads the replay while `retentionIsFree` or `replayIsStable` says that the
// holder calls receivers; it asks under the lock of the inbox, after it has set a note. It copies values of the
// engine's own under that lock: the holder looks at the notes by a read-modify-write, and takes the lock, before it
// changes them (`meetReaders()`). Only the holder reads a user's cache.
// Relaxed loads: only the holder changes `replayIsStable`. A thread finds its own mark in `deliverer` or `recorder`
// only while it holds the drain. The mark of another thread tells it nothing. A holder that calls receivers behind a
// cache, while `retentionIsFree`, has put its mark and 1 in `recorder` before, so that no thread finds its old one
// there then.

internal import Synchronization

/// The account of one receiver.
public struct ReceiverStatus: Sendable {
  /// The name that the receiver joined with.
  public let label: String?
  /// The number of values that wait for it.
  public let waiting: Int
  /// The number of values that it has missed since it joined.
  public let missed: Int
  /// The number of times that it has gone on where a newcomer would start.
  public let rejoinCount: Int
  /// The number of values that have made way for a newer one of their key while they waited.
  public let conflated: Int

  init(label: String?, waiting: Int, missed: Int, rejoinCount: Int, conflated: Int = 0) {
    self.label = label
    self.waiting = waiting
    self.missed = missed
    self.rejoinCount = rejoinCount
    self.conflated = conflated
  }
}

extension Hub {
  /// Returns the values that a newcomer would get now.
  ///
  /// It does not wait until a receiver returns. Inside a closure of the policy it returns what is known, at once. While
  /// another thread runs such a closure, it looks again and again for a time, and is empty then. Where a cache decides,
  /// it is empty after a moment while another thread stays inside a receiver.
  public func lookAtReplay() -> [Element] {
    let now = rules.limits?.age?.now() ?? 0
    return look(read: { currentReplay(at: now) }, adding: { replay($0, after: $1) }) ?? []
  }

  /// The number of values that a newcomer would get now, found without a copy of them, or nil if that cannot be told;
  /// and the accounts of the receivers in the order in which they joined, behind which come those of the loops that
  /// fetch.
  ///
  /// The first call lets the accounts be kept. If it finds a delivery, they are there when that is over.
  ///
  /// - Parameter makeCounter: The closure that makes the observer of the number of receivers, if there is none. With an
  ///   observer, each receiver that joins or leaves is noted.
  /// - Returns: The number, and the accounts.
  public func status(
    _ makeCounter: () -> ReceiverCounter
  ) -> (replayCount: Int?, receivers: [ReceiverStatus]) {
    if !signals.counter.isSet { _ = signals.counter.setIfEmpty(makeCounter()) }
    let isFirst = !signals.areAccountsRead.exchange(true, ordering: .acquiringAndReleasing)
    var isReported = false
    let now = rules.limits?.age?.now() ?? 0
    let count = look(
      read: { currentReplayCount(at: now) }, adding: { replayCount($0, after: $1) },
      holding: {
        beginReporting()
        isReported = true
      })
    if !isReported {
      let acceptance = withInbox { inbox -> Acceptance in
        if drain.tryEnter() { return .direct }
        return isFirst ? leave(.report, &inbox) : .refused
      }
      act(on: acceptance) { $0.beginReporting() }
    }
    return (rules.hasReplay ? count : 0, withInbox(accounts))
  }

  /// Looks at the replay: by a closure that reads what has been delivered, one that adds the work that waits, and one
  /// that runs too if the thread holds the drain for it.
  private func look<Seen>(
    read: () -> Seen, adding add: (Seen, _ queued: QueuedWork<Element>) -> Seen,
    holding: () -> Void = {}
  ) -> Seen? {
    guard rules.hasReplay else { return nil }
    if tryEnter() {
      let seen = recording {
        expireStart()
        defer { holding() }
        return read()
      }
      leave(isLimited: true)
      return seen
    }
    let mark = ThreadMark.number
    if mark != 0, isHeld(by: mark) { return lookInside(read, add) }
    // Between two calls of receivers the holder is soon done. In a closure of the policy it may not be.
    for attempt in 0..<ThreadPause.count {
      if rules.mode == .custom {
        if let seen = takeOver(read, holding) { return seen }
        // Only the holder reads a cache, and a receiver may stay.
        if attempt >= ThreadPause.yieldCount, isReplayStable { return nil }
      } else if let seen = borrow(read, add, holding) {
        return seen
      }
      ThreadPause.pause(attempt)
    }
    return nil
  }

  /// Reads the cache if the drain has become free, or waits for a thread that goes on; returns nil if it is held.
  private func takeOver<Seen>(_ read: () -> Seen, _ holding: () -> Void) -> Seen? {
    guard withInbox({ _ in drain.tryEnter() || drain.tryResume() }) else { return nil }
    let seen = recording {
      defer { holding() }
      return read()
    }
    runOut(isLimited: true)
    return seen
  }

  /// Whether this thread holds the drain, as far as it has said so: where no cache decides the replay, it has not while
  /// a sender calls receivers.
  private func isHeld(by mark: UInt) -> Bool {
    // Before the mark: a thread that sets it has set its own mark before.
    let isPassing = signals.retentionIsFree.load(ordering: .acquiring)
    let recorder = signals.recorder.load(ordering: .relaxed)
    return signals.deliverer.load(ordering: .relaxed) & ~Handover.isSought == mark
      || recorder == mark || isPassing && recorder == mark | 1
  }

  /// Reads the replay on the thread that holds the drain, from user code that it calls or releases.
  private func lookInside<Seen>(
    _ read: () -> Seen, _ add: (Seen, _ queued: QueuedWork<Element>) -> Seen
  ) -> Seen {
    var queued = QueuedWork<Element>()
    if replayIsPlain { queued = withInbox { queuedWork($0) } }
    return add(read(), queued)
  }

  /// Reads the replay while the holder of the drain calls a receiver; returns nil if it does not.
  private func borrow<Seen>(
    _ read: () -> Seen, _ add: (Seen, _ queued: QueuedWork<Element>) -> Seen,
    _ holding: () -> Void
  ) -> Seen? {
    var isHolding = false
    var queued = QueuedWork<Element>()
    let copied = withInbox { inbox -> Seen? in
      isHolding = drain.announce(.control)
      guard isHolding || isReplayStable else { return nil }
      if replayIsPlain { queued = queuedWork(inbox) }
      return read()
    }
    // Outside the lock: it asks the user's closure for keyframes.
    guard isHolding else { return copied.map { add($0, queued) } }
    let seen = recording {
      defer { holding() }
      return copied.map { add($0, queued) }
    }
    runOut(isLimited: true)
    return seen
  }

  /// Whether the holder of the drain calls receivers, and changes nothing of the replay before it has looked at the
  /// notes.
  private var isReplayStable: Bool {
    signals.retentionIsFree.load(ordering: .acquiring)
      || signals.replayIsStable.load(ordering: .acquiring)
  }

  /// Returns the values that a newcomer would get from what has been delivered.
  private func currentReplay(at now: Int64) -> [Element] {
    guard rules.mode == .log else { return replayContents() }
    guard let tooOld = tooOldCount(at: now) else { return [] }
    let headers = retention.starting.headers?.contents(retention.starting.clearedAt) ?? []
    return headers.map(\.value) + retention.log.cachedValues.dropFirst(tooOld)
  }

  /// Returns the number of values of the replay that a newcomer would not get any more; nil if it waits for a start.
  private func tooOldCount(at now: Int64) -> Int? {
    let count = retention.starting.meter.tooOldCount(at: now)
    let waits = retention.starting.availability != .available || hasKeyframes && count > 0
    return waits ? nil : count
  }

  private func currentReplayCount(at now: Int64) -> Int {
    switch rules.mode {
    case .lossy: return 0
    case .newest: return retention.cachedNewest == nil ? 0 : 1
    case .custom: return retention.cache?.count() ?? 0
    case .log:
      guard let tooOld = tooOldCount(at: now) else { return 0 }
      let headers = retention.starting.headers?.contents(retention.starting.clearedAt).count ?? 0
      return headers + retention.log.cachedCount - tooOld
    }
  }

  /// Whether no cache, header or limit of cost or age decides what a newcomer gets after work that waits.
  private var replayIsPlain: Bool {
    rules.mode == .newest || (rules.mode == .log && retention.keeping != .withStarts)
  }

  /// Returns the work that waits for the thread that delivers, which holds the drain or is met under the lock.
  private func queuedWork(_ inbox: Inbox<Element, End>) -> QueuedWork<Element> {
    QueuedWork(
      work: worklist.batch.reversed() + inbox.work,
      values: worklist.values.values + inbox.values.values)
  }

  /// Returns the values that a newcomer would get after work that waits for the thread that delivers.
  private func replay(_ contents: [Element], after queued: QueuedWork<Element>) -> [Element] {
    guard !queued.work.isEmpty else { return contents }
    var values = contents
    var left = queued.values[...]
    for work in queued.work {
      switch work {
      case .value: if let element = left.popFirst() { values.append(element) }
      case .end: if rules.endOvertakesNewest { values = [] }
      case .clear: if !rules.exposesCurrentValue { values = [] }
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

  /// Returns the number of values that a newcomer would get after work that waits for the thread that delivers.
  private func replayCount(_ count: Int, after queued: QueuedWork<Element>) -> Int {
    guard !queued.work.isEmpty else { return count }
    var count = count
    var left = queued.values[...]
    for work in queued.work {
      switch work {
      case .value:
        guard let element = left.popFirst() else { continue }
        count = rules.isKeyframe?(element) == true ? 1 : count &+ 1
      case .end: if rules.endOvertakesNewest { count = 0 }
      case .clear: if !rules.exposesCurrentValue { count = 0 }
      case .open, .close: count = 0
      case .join, .joinPulling, .upstream, .count, .report, .withdrawn: break
      }
    }
    return min(count, rules.mode == .newest ? 1 : rules.limit)
  }

  /// Returns the counter of receivers, after it has set one if there was none.
  public func receiverCounter(_ make: () -> ReceiverCounter) -> ReceiverCounter {
    if let known = signals.counter.object { return unsafeDowncast(known, to: ReceiverCounter.self) }
    let counter = signals.counter.setIfEmpty(make())
    tellCountLater()
    return unsafeDowncast(counter, to: ReceiverCounter.self)
  }

  /// Has the holder of the drain report the number of receivers, if there is an observer of it.
  func tellCountLater() {
    guard signals.counter.isSet else { return }
    let acceptance = withInbox { inbox -> Acceptance in
      if drain.tryEnter() { return .direct }
      // The number that is told is the one of that moment.
      if inbox.isCountQueued { return .left }
      inbox.isCountQueued = true
      return leave(.count, &inbox)
    }
    act(on: acceptance) { $0.tellCount() }
  }

  /// Does what was accepted, if this thread holds the drain by that, and what others have left.
  func act(on acceptance: Acceptance, _ body: (Hub) -> Void) {
    switch acceptance {
    case .direct:
      recording { body(self) }
      leave(isLimited: true)
    case .holding: runOut(isLimited: true)
    case .refused, .left, .observed: break
    }
  }

  /// Tells the number of receivers, as the holder of the drain.
  func tellCount() {
    if signals.counter.isSet { tellTheCount() }
  }

  @inline(never)
  func tellTheCount() {
    guard let counter = signals.counter.object else { return }
    let loops = withInbox { $0.pullLog?.cursors.count ?? 0 }
    let wasStable = signals.replayIsStable.load(ordering: .relaxed)
    signals.replayIsStable.store(true, ordering: .releasing)
    let observer = unsafeDowncast(counter, to: ReceiverCounter.self)
    observer.deliver()
    observer.receive(count: members.slots.occupied &+ loops)
    signals.replayIsStable.store(wasStable, ordering: .releasing)
  }
}

/// A copy of the work that waits for the thread that delivers.
private struct QueuedWork<Element> {
  var work: [Work] = []
  /// The values of that work, oldest first.
  var values: [Element] = []
}
