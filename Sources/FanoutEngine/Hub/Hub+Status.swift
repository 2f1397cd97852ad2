// A thread that does not hold the drain reads the replay only under the lock of the inbox, after it has set the note
// `.attention`, while `memoryIsFree` or `replayIsStable` says that the holder calls receivers. The holder then takes that
// lock before it changes the replay: either because it sees the note, or to take up what was left (see `borrowReplay`).

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
  /// What a newcomer would get now.
  ///
  /// It does not wait until a receiver returns. Called inside of a closure of the policy, it is empty.
  public func lookAtReplay() -> [Element] {
    if drain.tryEnter() {
      let contents = currentReplay()
      leave(isLimited: true)
      return contents
    }
    // Between two calls of receivers the holder is soon done. In a closure of the policy, it may be this thread.
    for _ in 0..<Self.attempts {
      if let contents = borrowContents() { return contents }
    }
    return []
  }

  private static var attempts: Int { 1_000_000 }

  /// Reads the replay while the holder of the drain calls a receiver; returns nil if it does not.
  private func borrowContents() -> [Element]? {
    var isHolding = false
    let found = inbox.withLock { inbox -> (contents: [Element], queued: [Work<Element, End>])? in
      isHolding = drain.announce(.attention)
      guard !isHolding,
        signals.memoryIsFree.load(ordering: .acquiring)
          || signals.replayIsStable.load(ordering: .acquiring),
        worklist.batch.isEmpty
      else { return nil }
      return (currentReplay(), inbox.work)
    }
    guard isHolding else { return found.map { replay($0.contents, after: $0.queued) } }
    while doNext() {}
    let contents = currentReplay()
    runOut(isLimited: true)
    return contents
  }

  /// What a newcomer would get from what has been delivered.
  private func currentReplay() -> [Element] {
    guard rules.mode == .log else { return replayContents() }
    guard retention.starting.availability == .available else { return [] }
    return (retention.starting.headers?.contents(retention.starting.clearedAt).map(\.value) ?? [])
      + retention.log.cachedValues
  }

  /// What a newcomer would get after work that waits for the thread that delivers.
  private func replay(_ contents: [Element], after queued: [Work<Element, End>]) -> [Element] {
    guard !queued.isEmpty, rules.mode == .log || rules.mode == .newest else { return contents }
    var values = contents
    for work in queued {
      switch work {
      case .value(let element): values.append(element)
      case .open, .close, .clear: values = []
      case .end, .join, .joinPulling, .upstream, .count: break
      }
    }
    if rules.mode == .newest { return values.suffix(1) }
    if let isKeyframe = rules.isKeyframe, let start = values.lastIndex(where: isKeyframe) {
      values.removeFirst(start)
      return values.count > rules.limit ? [] : values
    }
    return values.suffix(rules.limit)
  }

  /// The accounts of the receivers that have a backlog with a policy, in the order in which they joined.
  public var receiverStatus: [ReceiverStatus] {
    inbox.withLock { $0.limited }.map { backlog in
      ReceiverStatus(
        label: backlog.label, waiting: backlog.reported.waiting.load(ordering: .acquiring),
        missed: backlog.reported.missed.load(ordering: .acquiring),
        rejoins: backlog.reported.rejoins.load(ordering: .acquiring))
    }
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
    guard signals.counter.object != nil else { return }
    let acceptance = inbox.withLock { drain.tryEnter() ? .direct : leave(.count, &$0) }
    switch acceptance {
    case .direct:
      tellCount()
      leave()
    case .holding: runOut()
    case .refused, .left, .tapped: break
    }
  }

  /// Tells the number of receivers, as the holder of the drain.
  @inlinable
  func tellCount() {
    if signals.counter.object != nil { tellTheCount() }
  }

  @usableFromInline
  @inline(never)
  func tellTheCount() {
    guard let counter = signals.counter.object else { return }
    let loops = inbox.withLock { $0.tap?.cursors.count ?? 0 }
    unsafeDowncast(counter, to: ReceiverCounter.self)
      .receive(count: members.slots.occupied &+ loops)
  }
}

@available(*, unavailable)
extension ReceiverCounter: Sendable {}
