// Invariant: a backlog belongs to one cursor. `policy`, `place` and `label` are set before the
// cursor joins; the other properties are reached only by the holder of the hub's drain, or under
// the lock of its inbox if the receiver is a loop that fetches. While a thread conflates for a
// loop, that thread alone reaches the values and their entries. Unsafe cast: the backlog of a
// cursor that is marked as limited is a `LimitedBacklog`.

internal import Synchronization

/// The backlog of a receiver that has terms of its own: its own values, its account and its own
/// end.
///
/// Of most receivers what waits is the values here, and behind them the hub's log from the
/// receiver's place on. A receiver that collects has each later value here, with an entry that says
/// what the hub has to know of it; then only the replay may lie in the log, in front of the values
/// here.
@usableFromInline
package final class LimitedBacklog<Element, End>: ValueQueue<Element> {
  package let policy: BacklogPolicy<Element, End>
  /// The place at which the receiver joins.
  package let place: JoinPlace<Element>
  /// The name of the receiver in the hub's status.
  package let label: String?
  /// The choice of a receiver that takes only some values.
  package let selection: Selection<Element>?
  /// Tells the receiver of something, and says how many values more it allows; nil if it is told
  /// nothing.
  ///
  /// It captures nothing and is formed where the receiver's type is known, like
  /// `DemandCursor.Deliver`.
  package typealias Tell = (_ receiver: AnyObject, Notice<Element>) -> Credit
  let tell: Tell?
  /// The measures that decide beside the number of the values that wait, if any do.
  @exclusivity(unchecked) package internal(set) var measure: BacklogMeasure<Element, End>?
  /// Whether more than places in the log decides what the receiver gets, so that each value is
  /// collected here.
  @exclusivity(unchecked) var isCollecting: Bool
  /// The entries of the values here.
  @exclusivity(unchecked) var entries = Entries()
  /// The values that are reserved for the receiver, because it has started with them, in front of
  /// those that count.
  @exclusivity(unchecked) private var reserved = Log<Element>()
  /// The end of the hub's log when the receiver started: what lies before it is replay.
  @exclusivity(unchecked) var joinedAt = 0
  /// The number of values that the receiver has missed since it joined.
  @exclusivity(unchecked) package private(set) var missed = 0
  /// The number of values that have made way for a newer one of their key.
  @exclusivity(unchecked) package var conflated = 0
  /// The number of times that the receiver has gone on where a newcomer would start.
  @exclusivity(unchecked) package var rejoinCount = 0
  /// The end that this receiver alone gets, behind its own values; nothing more waits for it.
  @exclusivity(unchecked) package internal(set) var end: End?
  /// Whether the receiver gets an end of its own, which may not be made yet.
  @exclusivity(unchecked) var hasEnd = false
  /// The state of a receiver that is stalled.
  @exclusivity(unchecked) var stall = Stall.resting
  /// The state of a receiver that waits for the next start.
  @exclusivity(unchecked) var wait = StartWait()
  /// Whether the receiver is too slow and has no start ahead, if the upstream is asked for one.
  @exclusivity(unchecked) var lacksStart = false

  package init(
    _ policy: BacklogPolicy<Element, End>, place: JoinPlace<Element> = .replay,
    label: String? = nil,
    selection: Selection<Element>? = nil, tell: Tell? = nil
  ) {
    self.policy = policy
    self.selection = selection
    self.place = place
    self.label = label
    self.tell = tell
    measure = policy.isMeasured ? BacklogMeasure(policy) : nil
    isCollecting = policy.isMeasured || selection != nil || tell != nil
  }

  deinit { reserved.destroy() }

  /// Sets the cursor that is told when a wait for it is over.
  @inline(never)
  func setCursor(_ cursor: any AwaitedReceiver) { measure?.patience?.cursor = cursor }

  /// The number of values here that are reserved for the receiver; `count` is that of the others.
  var reservedCount: Int { reserved.end &- reserved.head }

  /// The number of all values here.
  var ownCount: Int { reservedCount &+ count }

  /// Copies the end that this receiver alone gets to memory that holds none; returns false if it is
  /// not made yet.
  func copyEnd(to slot: UnsafeMutablePointer<End>) -> Bool {
    guard let end else { return false }
    slot.initialize(to: end)
    return true
  }

  /// Notes values that the receiver misses behind those that wait.
  func miss(_ count: Int) {
    missed &+= count
    entries.miss(count)
  }

  /// Ends the wait for a start, which is at a position: the receiver has missed what came since.
  func endWait(at position: Int) {
    guard let from = wait.from else { return }
    miss(position &- from)
    wait.from = nil
  }

  /// Appends a value.
  func append(_ element: Element, _ entry: Entry) {
    append(element)
    entries.append(entry)
  }

  /// Reserves all values here for the receiver.
  func reserve() {
    entries.reserve()
    while let chunk = log.first, count > 0 {
      reserved.append(moving: chunk.slot(log.head))
      log.leaveOldest(in: chunk)
    }
  }

  /// Lets the values here that are reserved count.
  func endReserve() {
    guard reservedCount > 0 else { return }
    reserve()
    entries.endReserve()
    (log, reserved) = (reserved, log)
  }

  /// Removes and returns the oldest of the values here.
  func takeFirst() -> Element? {
    if reservedCount > 0 {
      entries.removeFirst()
      return reserved.takeOldest()
    }
    guard let element = popFirst() else { return nil }
    noteTaken()
    return element
  }

  /// Moves the oldest of the values here to memory that holds none; returns false if there is none.
  func takeFirst(to slot: UnsafeMutablePointer<Element>) -> Bool {
    if reservedCount > 0 {
      entries.removeFirst()
      return reserved.moveOldest(to: slot)
    }
    guard moveFirst(to: slot) else { return false }
    noteTaken()
    return true
  }

  private func noteTaken() {
    entries.removeFirst()
    measure?.hasTaken = true
    measure?.meter.removeFirst()
  }

  /// Drops the oldest of the values here that count, to a queue if they may not be released here.
  func dropOldest(to released: ValueQueue<Element>?) {
    measure?.meter.removeFirst()
    missed &+= entries.dropOldest()
    if let dropped = popFirst() { released?.append(dropped) }
  }

  /// Drops the newest of the values here, to a queue if they may not be released here.
  func dropNewest(to released: ValueQueue<Element>?) {
    measure?.meter.removeLast()
    missed &+= entries.dropNewest()
    if let dropped = popLast() { released?.append(dropped) }
  }

  /// Puts copies of values of the replay, of which the first has a position, in front of those
  /// here, and reserves them for the receiver.
  func prepend(_ values: ArraySlice<Element>, at first: Int) {
    var all = Log<Element>()
    for value in values { all.append(value) }
    while let element = reserved.takeOldest() { all.append(element) }
    (reserved, all) = (all, reserved)
    all.destroy()
    entries.prepend((0..<values.count).map { Entry(at: first &+ $0, isReplayed: true) })
  }

  /// Starts the receiver anew with the values here from a position on; drops the others, to a queue
  /// if they may not be released here.
  func restart(at position: Int, to released: ValueQueue<Element>?) {
    rejoinCount &+= 1
    endReserve()
    while count > 0, entries.live[0].position < position { dropOldest(to: released) }
  }

  /// Starts the receiver anew with what is reserved for it, and some of the values here that count.
  func restart(keeping isKept: (Entry) -> Bool) {
    rejoinCount &+= 1
    if measure != nil { restartMeter(keeping: isKept) }
    let (kept, dropped) = (ValueQueue<Element>(), ValueQueue<Element>())
    for entry in entries.live.all {
      guard let element = popFirst() else { break }
      if isKept(entry) { kept.append(element) } else { dropped.append(element) }
    }
    swapValues(with: kept)
    missed &+= entries.restart(keeping: isKept)
    withExtendedLifetime(dropped) {}
  }

  /// Keeps the measures of the values that count and stay; what was reserved for the receiver has
  /// none yet.
  private func restartMeter(keeping isKept: (Entry) -> Bool) {
    let unmeasured = count &- (measure?.meter.count ?? 0)
    let others = (0..<max(0, unmeasured)).filter { isKept(entries.live[$0]) }
      .map { log.value(at: log.head &+ $0) }
    measure?.meter.keep(behind: others) { isKept(entries.live[unmeasured &+ $0]) }
  }

  /// Returns whether too much waits for the receiver, of which `live` values count.
  func isOver(_ live: Int) -> Bool { live > policy.count || measure?.meter.isOver == true }

  /// Returns whether there is no room for one more value, if `live` values count.
  func isFull(_ live: Int) -> Bool { live >= policy.count || measure?.meter.isFull == true }
}

/// The state of a receiver that waits for the next start.
struct StartWait: Sendable {
  /// The position at which it began to wait; nil while it does not.
  var from: Int?
  /// The position from which on it lacks headers.
  var headersFrom = Int.min
  /// Whether it waits for a keyframe, also if the beginning of a connection counts as a start.
  var needsKeyframe = false

  init() {}
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
  ///   - tell: The closure that tells the receiver its values and what it misses, or nil if it only
  ///     gets its values.
  public final func setTerms(
    _ policy: BacklogPolicy<Element, End>, place: JoinPlace<Element>, label: String?,
    selection: Selection<Element>? = nil,
    tell: ((_ receiver: AnyObject, Notice<Element>) -> Credit)? = nil
  ) {
    setTerms(
      LimitedBacklog(policy, place: place, label: label, selection: selection, tell: tell))
    receivesNotices = tell != nil
    var terms = CursorSignal.keepsValues
    if selection != nil { terms |= CursorSignal.selects }
    if policy.drops { terms |= CursorSignal.drops }
    signals.bitwiseOr(terms, ordering: .relaxed)
  }

  /// Sets the backlog on whose terms this cursor joins.
  final func setTerms(_ backlog: LimitedBacklog<Element, End>) {
    self.backlog = backlog
    isLimited = true
    if backlog.measure != nil { backlog.setCursor(self) }
  }

  /// Appends a value from before the receiver joined to the values for it alone.
  final func keepReplayed(_ element: Element) {
    if let backlog = limitedBacklog {
      backlog.append(element, Entry(at: .min, isReplayed: true))
    } else {
      ownValues.append(element)
    }
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

extension LimitedBacklog {
  /// Every value that waits here, oldest first.
  package final var allValues: [Element] { reserved.values + values }
}
