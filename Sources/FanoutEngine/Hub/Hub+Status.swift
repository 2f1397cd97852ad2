// A thread that does not hold the drain reads the replay while `retentionIsFree` or
// `replayIsStable` says that the holder calls receivers; it asks under the lock of the inbox, after
// it has set a note. It copies values of the engine's own under that lock: the holder looks at the
// notes by a read-modify-write, and takes the lock, before it changes them (`meetReaders()`). Only
// the holder reads a user's cache. Relaxed loads: only the holder changes `replayIsStable`. A
// thread finds its own mark in `deliverer` or `recorder` only while it holds the drain. The mark of
// another thread tells it nothing. A holder that calls receivers behind a cache, while
// `retentionIsFree`, has put its mark and 1 in `recorder` before, so that no thread finds its old
// one there then.

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
}

extension Hub {
  /// Returns the values that a newcomer would get now.
  ///
  /// It does not wait until a receiver returns. Inside a closure of the policy it returns what is
  /// known, at once. While another thread runs such a closure, it looks again and again for a time,
  /// and is empty then. Where a cache decides, it is empty after a moment while another thread
  /// stays inside a receiver.
  public func lookAtReplay() -> [Element] {
    let now = rules.limits?.age?.now() ?? 0
    return look(read: { currentReplay(at: now) }, adding: { replay($0, after: $1) }) ?? []
  }

  /// The number of values that a newcomer would get now, found without a copy of them, or nil if
  /// that cannot be told; and the accounts of the receivers in the order in which they joined,
  /// behind which come those of the loops that fetch.
  ///
  /// The first call lets the accounts be kept. If it finds a delivery, they are there when that is
  /// over.
  ///
  /// - Parameter makeCounter: The closure that makes the observer of the number of receivers, if
  ///   there is none. With an observer, each receiver that joins or leaves is noted.
  /// - Returns: The number, and the accounts.
  public func status(
    _ makeCounter: () -> ReceiverCounter
  ) -> (replayCount: Int?, receivers: [ReceiverStatus]) {
    if !signals.counter.isSet { _ = signals.counter.setIfEmpty(makeCounter()) }
    let isFirst = !signals.areAccountsRead.exchange(true, ordering: .acquiringAndReleasing)
    // First, so that the accounts are there if no thread delivers now.
    let acceptance = withInbox { inbox -> Acceptance in
      if drain.tryEnter() { return .direct }
      return isFirst ? leave(.report, &inbox) : .refused
    }
    act(on: acceptance) { $0.beginReporting() }
    let now = rules.limits?.age?.now() ?? 0
    let count = look(
      read: { currentReplayCount(at: now) }, adding: { replayCount($0, after: $1) })
    return (rules.hasReplay ? count : 0, withInbox(accounts))
  }

  /// Looks at the replay: by a closure that reads what has been delivered, and one that adds the
  /// work that waits.
  private func look<Seen>(
    read: () -> Seen, adding add: (Seen, _ queued: QueuedWork<Element>) -> Seen
  ) -> Seen? {
    guard rules.hasReplay else { return nil }
    if tryEnter() {
      let seen = recording {
        expireStart()
        return read()
      }
      leave(isLimited: true)
      return seen
    }
    let mark = ThreadMark.number
    // Inside user code that this thread calls or releases, everything can be read at once.
    if mark != 0, isHeld(by: mark) { return add(read(), withInbox(queuedWork)) }
    // Between two calls of receivers the holder is soon done. In a closure of the policy it may not
    // be.
    for attempt in 0..<ThreadPause.count {
      if rules.mode == .custom {
        if withInbox({ _ in drain.tryEnter() || drain.tryResume() }) {
          let seen = recording(read)
          runOut(isLimited: true)
          return seen
        }
        // Only the holder reads a cache, and a receiver may stay.
        if attempt >= ThreadPause.yieldCount, isReplayStable { return nil }
      } else if let seen = borrow(read, add) {
        return seen
      }
      ThreadPause.pause(attempt)
    }
    return nil
  }

  /// Whether this thread holds the drain, as far as it has said so: where no cache decides the
  /// replay, it has not while a sender calls receivers.
  private func isHeld(by mark: UInt) -> Bool {
    // Before the mark: a thread that sets it has set its own mark before.
    let isPassing = signals.retentionIsFree.load(ordering: .acquiring)
    let recorder = signals.recorder.load(ordering: .relaxed)
    return signals.deliverer.load(ordering: .relaxed) & ~Handover.isSought == mark
      || recorder == mark || isPassing && recorder == mark | 1
  }

  /// Reads the replay while the holder of the drain calls a receiver; returns nil if it does not.
  private func borrow<Seen>(
    _ read: () -> Seen, _ add: (Seen, _ queued: QueuedWork<Element>) -> Seen
  ) -> Seen? {
    var isHolding = false
    var queued = QueuedWork<Element>()
    let copied = withInbox { inbox -> Seen? in
      isHolding = drain.announce(.control)
      guard isHolding || isReplayStable else { return nil }
      queued = queuedWork(&inbox)
      return read()
    }
    // Outside the lock: it asks the user's closure for keyframes.
    guard isHolding else { return copied.map { add($0, queued) } }
    let seen = recording { copied.map { add($0, queued) } }
    runOut(isLimited: true)
    return seen
  }

  /// Whether the holder of the drain calls receivers, and changes nothing of the replay before it
  /// has looked at the notes.
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

  /// Returns the number of values of the replay that a newcomer would not get any more; nil if it
  /// waits for a start.
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

  /// Returns the work that waits for the thread that delivers, which holds the drain or is met
  /// under the lock; or nothing, if a cache, a header or a limit of cost or age decides what a
  /// newcomer gets after it.
  private func queuedWork(_ inbox: inout Inbox<Element, End>) -> QueuedWork<Element> {
    var queued = QueuedWork<Element>()
    guard rules.mode == .newest || (rules.mode == .log && retention.keeping != .withStarts) else {
      return queued
    }
    var count = 0
    var gone = 0
    for work in worklist.batch.reversed() + inbox.work {
      let isReset: Bool
      switch work {
      case .value:
        count &+= 1
        continue
      case .end: isReset = rules.endOvertakesNewest
      case .clear: isReset = !rules.exposesCurrentValue
      case .open, .close: isReset = true
      case .join, .joinPulling, .upstream, .count, .report, .withdrawn: isReset = false
      }
      if isReset { (gone, queued.isReset) = (count, true) }
    }
    queued.values = (worklist.values.values + inbox.values.values).dropFirst(gone)
    return queued
  }

  /// Returns the values that a newcomer would get after work that waits for the thread that
  /// delivers.
  private func replay(_ contents: [Element], after queued: QueuedWork<Element>) -> [Element] {
    guard queued.isReset || !queued.values.isEmpty else { return contents }
    let values = (queued.isReset ? [] : contents) + queued.values
    if rules.mode == .newest { return values.suffix(1) }
    let start = rules.isKeyframe.flatMap { values.lastIndex(where: $0) }
    return start.map { Array(values[$0...]) } ?? values.suffix(rules.limit)
  }

  /// Returns the number of values that a newcomer would get after work that waits for the thread
  /// that delivers.
  private func replayCount(_ count: Int, after queued: QueuedWork<Element>) -> Int {
    // What has been delivered may be more than the limit: headers come in front of it.
    guard queued.isReset || !queued.values.isEmpty else { return count }
    let start = rules.isKeyframe.flatMap { queued.values.lastIndex(where: $0) }
    if let start { return queued.values.endIndex - start }
    let count = (queued.isReset ? 0 : count) + queued.values.count
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
  func act(on acceptance: Acceptance, isLimited: Bool = true, _ body: (Hub) -> Void) {
    switch acceptance {
    case .direct:
      recording { body(self) }
      leave(isLimited: isLimited)
    case .holding: runOut(isLimited: isLimited)
    case .refused, .left, .observed: break
    }
  }

  /// Tells the number of receivers, as the holder of the drain, if there is an observer of it.
  @inline(never)
  func tellCount() {
    guard let counter = signals.counter.object else { return }
    let loops = withInbox { $0.pullLog?.cursors.count ?? 0 }
    let observer = unsafeDowncast(counter, to: ReceiverCounter.self)
    whileStable {
      observer.deliver()
      observer.receive(count: members.slots.occupied &+ loops)
    }
  }
}

/// The meaning for a newcomer of the work that waits for the thread that delivers.
private struct QueuedWork<Element> {
  /// Whether it gives up what was retained.
  var isReset = false
  /// The values that it brings after that, oldest first.
  var values: ArraySlice<Element> = []
}
