// Invariant: a backlog belongs to one cursor. `policy`, `place` and `label` are set before the cursor joins; the other
// properties are reached only by the holder of the hub's drain.
// Unsafe cast: the backlog of a cursor that is marked as limited is a `LimitedBacklog`.

internal import Synchronization

/// The backlog of a receiver that has terms of its own: its own values, its account and its own end.
///
/// What waits for the receiver is the values here, and behind them the hub's log from the receiver's place on. The
/// values here are what it starts with, or the oldest ones, if those are all that its policy keeps.
package final class LimitedBacklog<Element, End>: ValueQueue<Element> {
  package let policy: BacklogPolicy<Element, End>
  /// The place at which the receiver joins.
  package let place: JoinPlace<Element>
  /// The name of the receiver in the hub's status.
  package let label: String?
  /// The choice of a receiver that takes only some values.
  package let selection: Selection<Element>?
  /// The end of the hub's log when the receiver started: what lies before it is replay.
  @exclusivity(unchecked) var joinedAt = 0
  /// The end of the values here when the receiver started: what lies before it is replay.
  @exclusivity(unchecked) var ownJoinedAt = 0
  /// The number of values that the receiver has missed since it joined.
  @exclusivity(unchecked) package var missed = 0
  /// The number of values that have made way for a newer one of their key.
  @exclusivity(unchecked) package var conflated = 0
  /// The measures of the values that wait, if their number is not all that matters.
  @exclusivity(unchecked) package var measure: BacklogMeasure<Element, End>?
  /// The number of times that the receiver has gone on where a newcomer would start.
  @exclusivity(unchecked) package var rejoins = 0
  /// The end that this receiver alone gets, behind its own values; nothing more waits for it.
  @exclusivity(unchecked) package private(set) var end: End?
  /// Whether the receiver has an end of its own.
  @exclusivity(unchecked) private(set) var hasEnd = false
  /// The headers that wait, here and in the hub's log.
  @exclusivity(unchecked) var headers = HeaderAccount()
  /// The state of a receiver that is stalled.
  @exclusivity(unchecked) var stall = Stall.resting
  /// The account of a receiver that waits for the next start.
  @exclusivity(unchecked) var wait = StartWait()
  /// Whether the receiver is too slow and has no start ahead, if the upstream is asked for one.
  @exclusivity(unchecked) var lacksStart = false
  /// Tells the receiver of something, and says how many values more it allows; nil if it is told nothing.
  ///
  /// It captures nothing and is formed where the receiver's type is known, like `DemandCursor.Deliver`.
  package typealias Tell = (_ receiver: AnyObject, Notice<Element>) -> Credit
  let tell: Tell?
  /// The notices for the receiver beside its values, if it is told anything.
  @exclusivity(unchecked) package var notices: PendingNotices?

  init(
    _ policy: BacklogPolicy<Element, End>, place: JoinPlace<Element> = .replay,
    label: String? = nil, selection: Selection<Element>? = nil, tell: Tell? = nil
  ) {
    self.policy = policy
    self.selection = selection
    self.place = place
    self.label = label
    self.tell = tell
    notices = tell == nil ? nil : PendingNotices()
  }

  /// Notes the end that this receiver alone gets.
  func begin(_ end: End) { (self.end, hasEnd) = (end, true) }

  /// Notes values that the receiver misses in front of those that wait.
  ///
  /// - Parameters:
  ///   - count: The number of these values.
  ///   - fewer: The number by which the values that wait have become fewer, if that is another one.
  func miss(_ count: Int, fewer: Int? = nil) {
    guard max(count, fewer ?? 0) > 0 else { return }
    missed &+= count
    notices?.miss(count, fewer: fewer ?? count)
  }

  /// The number of values here that are left of the replay, which are the first ones.
  var ownReplayCount: Int { max(0, min(ownJoinedAt, log.end) &- log.head) }

  /// Notes that the first values here are what is left of the replay.
  func setReplayCount(_ count: Int) { ownJoinedAt = log.head &+ count }

  /// Notes that the oldest values behind the `waiting` values that wait are dropped.
  func missOldest(_ count: Int, behind waiting: Int) {
    guard waiting > 0 else { return miss(count) }
    missed &+= count
    notices?.drop(count, behind: waiting)
  }

  /// Notes values that the receiver misses behind the `waiting` values that wait.
  func miss(_ count: Int, behind waiting: Int) {
    missed &+= count
    notices?.miss(count, behind: waiting)
  }

  /// Ends the wait for a start, at which the receiver gets the headers at some positions.
  func endWait(at position: Int, given positions: [Int], behind waiting: Int) {
    let gone = selection?.wait.missed(given: 0)
    miss(
      gone ?? wait.missed(at: position, given: headers.count(of: positions)), behind: waiting)
    wait = StartWait()
    selection?.wait = .init()
  }
}

/// The account of a receiver that waits for the next start.
struct StartWait {
  /// The position at which it began to wait.
  let from: Int
  /// The position from which on it lacks headers.
  let headersFrom: Int
  /// The number of headers that it lacked when it began to wait and that count: they are not missed.
  let pendingHeaders: Int
  /// Whether it waits for a keyframe, also if the beginning of a connection counts as a start.
  let needsKeyframe: Bool

  init(
    from: Int = 0, headersFrom: Int = .min, pendingHeaders: Int = 0, needsKeyframe: Bool = false
  ) {
    self.from = from
    self.headersFrom = headersFrom
    self.pendingHeaders = pendingHeaders
    self.needsKeyframe = needsKeyframe
  }

  /// Returns the number of values that it has missed meanwhile if it gets a number of headers that count.
  func missed(at position: Int, given headers: Int) -> Int {
    position &- from &- (headers &- pendingHeaders)
  }
}

extension Cursor {
  /// The backlog, if it has terms of its own.
  @inline(__always)
  package final var limitedBacklog: LimitedBacklog<Element, End>? {
    guard isLimited, let backlog else { return nil }
    return unsafeDowncast(backlog, to: LimitedBacklog<Element, End>.self)
  }

  /// Sets the terms on which this cursor joins; before it joins.
  ///
  /// - Parameters:
  ///   - policy: The policy for the values that wait.
  ///   - place: The place at which it joins.
  ///   - label: The name of the receiver in the hub's status.
  ///   - selection: The choice of a receiver that takes only some values.
  ///   - tell: The closure that tells the receiver its values and what it misses, or nil if it only gets its values.
  public final func setTerms(
    _ policy: BacklogPolicy<Element, End>, place: JoinPlace<Element>, label: String?,
    selection: Selection<Element>? = nil,
    tell: ((_ receiver: AnyObject, Notice<Element>) -> Credit)? = nil
  ) {
    let limited = LimitedBacklog<Element, End>(
      policy, place: place, label: label, selection: selection, tell: tell)
    if policy.isMeasured { limited.measure = BacklogMeasure(policy, self) }
    backlog = limited
    isLimited = true
    receivesNotices = tell != nil
    var terms = CursorSignal.keepsValues
    if selection != nil { terms |= CursorSignal.selects }
    if policy.drops { terms |= CursorSignal.drops }
    signals.bitwiseOr(terms, ordering: .relaxed)
  }

  /// The queue for values of this receiver alone.
  final var ownValues: ValueQueue<Element> {
    if let backlog { return backlog }
    let made = ValueQueue<Element>()
    backlog = made
    return made
  }

  /// Releases the queue for values of this receiver alone, which is empty.
  final func dropEmptyBacklog() { if !isLimited { backlog = nil } }
}

@available(*, unavailable)
extension StartWait: Sendable {}
