// `@unchecked Sendable` invariant: properties marked `@exclusivity(unchecked)`, except
// `demandObserver`, are reached only by the thread that holds `drain`; entering it acquires what
// the last holder released. Everything that other threads leave lies in `inbox`, under its lock;
// `signals.gate` changes only under that lock. Any thread reads `demandObserver`, which changes
// only before a receiver comes. There are two more exceptions. `borrowReplay(for:_:_:)` reads
// `retention` and `worklist`, and notes places in the log, under the lock while
// `signals.retentionIsFree`; then the holder of the drain uses neither. `lookAtReplay()` reads both
// (`Hub+Status`).

internal import Synchronization

/// A place that passes values on to many receivers: one log, many cursors, one drain.
///
/// A thread that brings something while the hub is idle delivers it; a thread that finds it busy
/// leaves it in the inbox and returns. So calls into receivers never overlap, all receivers see one
/// order, and no lock is held while a receiver runs.
public final class Hub<Element, End>: @unchecked Sendable {
  static var endedGate: Int { .min }
  static var closedGate: Int { -1 }

  // The order keeps apart in memory what different threads write: senders the drain and the inbox,
  // which are the farthest from the slots and the log that the delivering thread uses for each
  // value. Otherwise the threads would contend for a cache line.
  @usableFromInline package let drain = Drain()
  @usableFromInline let signals: HubSignals
  /// Delivers a receiver values of the log, from an index in a chunk on; returns where it stopped
  /// (`deliverRun`).
  ///
  /// The closure is formed where the hub is made, which is where its types are known: it leads code
  /// that is not specialised to the one loop that has to be.
  package let reading:
    (Hub, Cursor<Element, End>, _ chunk: inout UnsafeMutableRawPointer, Int) -> Int
  /// Takes up the oldest piece of work that was left; formed as `reading`.
  let takingUp: (Hub) -> Void
  /// The object that asks the upstreams when the first attached receiver has requested a value.
  ///
  /// The owner of the hub retains it, and the receiver's cursor retains the owner.
  @exclusivity(unchecked) unowned(unsafe) var demandObserver: (any DemandObserver)?
  @usableFromInline package let rules: RetentionRules<Element>
  /// The limits for the values that wait for a receiver; nil if `rules` alone decides.
  package let limits: BacklogLimits<Element, End>?
  @usableFromInline @exclusivity(unchecked) package var members = Membership<Element, End>()
  @usableFromInline @exclusivity(unchecked) package var worklist = Worklist<Element, End>()
  @usableFromInline @exclusivity(unchecked) package var retention: Retention<Element, End>
  @usableFromInline let inboxLock = Lock(())
  /// The work that other threads leave; see `withInbox(_:)`.
  @usableFromInline @exclusivity(unchecked) var inbox: Inbox<Element, End>

  /// Creates a hub without receivers.
  ///
  /// - Parameters:
  ///   - policy: The policy for the values that the hub keeps.
  ///   - initial: The first value, with which the hub also keeps its newest accepted value.
  ///   - limits: The limits for the values that wait for a receiver, or nil if `policy` decides.
  ///   - isOpen: Whether the hub accepts values of connection 0 from the start.
  @inlinable
  public convenience init(
    _ policy: RetentionPolicy<Element>, initial: Element? = nil,
    limits: BacklogLimits<Element, End>? = nil, isOpen: Bool = true
  ) {
    self.init(
      policy, initial, limits, isOpen: isOpen,
      reading: { $0.deliverRun(to: $1, in: &$2, from: $3) }, takingUp: { $0.takeUp() })
  }

  @usableFromInline
  init(
    _ policy: RetentionPolicy<Element>, _ initial: Element?, _ limits: BacklogLimits<Element, End>?,
    isOpen: Bool,
    reading:
      @escaping (Hub, Cursor<Element, End>, inout UnsafeMutableRawPointer, Int) -> Int,
    takingUp: @escaping (Hub) -> Void
  ) {
    self.reading = reading
    self.takingUp = takingUp
    rules = RetentionRules(
      policy, exposesCurrentValue: initial != nil, keepsForReceivers: limits != nil,
      limitsDemand: limits?.limitsDemand == true, measuresFetches: limits?.policy.fetchCost != nil)
    self.limits = limits
    // Every pass looks at each receiver, and counts what the upstream has sent.
    if rules.limitsDemand { members.irregular = 1 }
    signals = HubSignals(
      gate: isOpen ? 0 : Self.closedGate, newcomersWait: rules.newcomersWait)
    retention = Retention(rules, newest: initial, isOpen: isOpen)
    inbox = Inbox(newest: initial)
    noteCreation(of: self, isPart: true)
    #if FANOUT_EXPLORER
      SchedulePoint.controller?.watch(self)
    #endif
  }

  deinit {
    // A receiver that is attached retains the owner of the hub, unless it is cancelled: then the
    // holder of the drain, which the hub outlives, detaches it.
    retention.log.destroy()
    inbox.values.destroy()
    worklist.values.destroy()
    members.slots.resize(to: 0)
  }

  /// Runs `body` with exclusive access to the inbox, as `Lock.withLock(_:)` does.
  ///
  /// The lock guards nothing itself: its type would be made of the type of the values, and be
  /// looked up by cold code.
  @inlinable
  @inline(__always)
  package func withInbox<Value>(_ body: (inout Inbox<Element, End>) -> Value) -> Value {
    inboxLock.withLock { _ in body(&inbox) }
  }

  /// Whether values can be lost on a receiver that has not asked.
  public var isLossy: Bool { rules.mode == .lossy }

  /// Whether a value can be dropped for a receiver on the terms of the hub that has not requested
  /// it.
  var dropsUnrequested: Bool {
    limits?.policy.drops ?? (isLossy || rules.mode == .newest || rules.exposesCurrentValue)
  }

  /// Whether what a receiver has not taken is kept in the log, also if the receiver has no backlog
  /// of its own.
  var hasLog: Bool { rules.mode == .log || rules.mode == .custom }

  /// Whether what a newcomer gets is not simply a stretch of the log, or it may have to wait for
  /// its start.
  public var letsNewcomersWait: Bool {
    signals.newcomersWait.load(ordering: .acquiring)
  }

  /// Returns whether a loop that joins at a place, and with a backlog of its own or none, can fetch
  /// its values.
  ///
  /// The thread that delivers decides where a receiver starts that waits for a keyframe. It
  /// measures what waits for one receiver, and calls the closures for that with no lock held.
  package func canFetch(at place: JoinPlace<Element>, _ policy: BacklogPolicy<Element, End>?)
    -> Bool
  {
    if place.canBeNextStart || rules.exposesCurrentValue || letsNewcomersWait { return false }
    if policy == nil, limits?.policy.fetchCost != nil { return true }
    guard let policy = policy ?? limits?.policy else { return true }
    return policy.limits == nil
      && (!policy.isRejoining || rules.restartsAtStart || rules.restartCount != nil)
  }

  /// Whether it asks its upstream for no more than its receivers have room for.
  public var limitsDemand: Bool { rules.limitsDemand }

  /// Whether what a newcomer gets can begin at a keyframe.
  public var hasKeyframes: Bool { rules.isKeyframe != nil }

  /// Whether every newcomer gets every value.
  public var retainsEverything: Bool {
    rules.mode == .log && rules.limit == .max && rules.limits == nil && !hasKeyframes
  }

  /// The policy by which the values that wait for a receiver are kept if it has no other.
  public var impliedPolicy: BacklogPolicy<Element, End> {
    if let limits { return limits.policy }
    return switch rules.mode {
    case .lossy: .droppingNewest(0)
    case .newest: .newest
    case .log, .custom: .unbounded
    }
  }

  /// Whether an end has been accepted.
  public var isEnded: Bool {
    signals.gate.load(ordering: .acquiring) == Self.endedGate
  }

  /// Whether any attached receiver has asked for anything.
  public var hasDemand: Bool {
    signals.demandingReceivers.load(ordering: .sequentiallyConsistent) > 0
  }

  /// The newest value accepted, also if it has not been delivered yet; nil unless made with one.
  public var newestAccepted: Element? { withInbox { $0.newest } }

  /// Lets an object ask the upstreams when the first attached receiver has requested a value; the
  /// caller retains it for as long as the hub's owner lives, and calls this before a receiver
  /// comes.
  public func observeDemand(_ observer: any DemandObserver) { demandObserver = observer }

  /// Notes that the observer has an upstream to ask when the first receiver has requested a value,
  /// which may have happened already.
  public func requestLater() {
    // Before the receivers are looked at: a receiver looks here after it was counted.
    signals.hasUnrequested.store(true, ordering: .sequentiallyConsistent)
    if hasDemand { requestUnrequested() }
  }

  /// Lets the observer ask the upstreams that have not been asked yet, if there are any.
  func requestUnrequested() {
    guard signals.hasUnrequested.load(ordering: .sequentiallyConsistent),
      signals.hasUnrequested.exchange(false, ordering: .acquiringAndReleasing)
    else { return }
    demandObserver?.requestAll()
  }

  /// Lets the drain go, after doing what was left meanwhile; see `runOut(isLimited:)`.
  @inlinable
  func leave(isLimited: Bool = false) {
    #if DEBUG
      if !worklist.hasDue { checkInvariants() }
    #endif
    // A request that came during a run is noted in the worklist, not in the drain any more.
    if worklist.hasDue || !drain.tryLeave() { runOut(isLimited: isLimited) }
  }
}
