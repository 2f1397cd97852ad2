/// The decisions of a loop that gets stored values and then live ones: it has no lock and no task.
///
///      stored               the replay of the share      live
///     ├────────────────────┬──────────────────────────┬────────────
///     ↑ last               ↑ bound: the first one that waits
///
/// A *fill* asks the store for what lies between `last`, the greatest id that the loop has, and the
/// first value that the live stream has for it. It happens when the loop joins, and after each gap.
/// Ids up to `last` are dropped, so what both have comes once.
///
/// The id with which a loop joins may be none of this stream. So the search for its place ends only
/// with an answer for this id: the id itself, values on both sides of it, or what the store says
/// when it is asked for it. What was read for another loop is no such answer if it does not reach
/// the id.
@usableFromInline
struct Splice<Value, ID: Comparable & Sendable, Failure: Error> {
  /// An event of the live stream.
  @usableFromInline
  enum Live {
    case event(Delivery<Value>)
    case end(Failure?)
  }

  /// The next step of the loop.
  enum Step {
    case give(Delivery<Value>)
    /// Waits for the next live event.
    case fetch
    /// Takes the next live event, if there is one.
    case peek
    /// Asks the store.
    case ask(HistoryRange<ID>)
    /// Waits for the next stored value.
    case pull
    case end(Failure?)
  }

  @usableFromInline
  enum Fill {
    case none
    /// The value that bounds it is looked for.
    case bounding
    case asking
    case reading
  }

  @usableFromInline let id: (Value) -> ID
  @usableFromInline var last: ID?
  @usableFromInline var fill = Fill.none
  /// The live events that were taken, up to the first value.
  @usableFromInline var waiting: [Live] = []
  /// A gap to tell in front of everything else.
  @usableFromInline var gap: Int??
  @usableFromInline var account = GapAccount<ID>()

  /// Whether the place of `last` is still to be found: in the replay, or by the store.
  @usableFromInline var isSearching: Bool
  /// Whether the replay had a smaller id than `last`.
  private var isBelow = false
  /// Whether the loop has no id behind which the store could be asked, or one that the store has
  /// not known.
  private var isUnknown: Bool
  /// Whether the loop has had a value that did not pass at once.
  private var hasBeenGiven = false
  /// The range that the store has last said to be forgotten: from where the loop was to where the
  /// store has values again.
  private var hole: HistoryRange<ID>?
  /// Whether the next read must begin where the loop is.
  private(set) var isAlone = false
  /// Whether the store leaves out values that a later one replaces.
  private let isConflated: Bool

  /// Creates the splice of a loop.
  ///
  /// - Parameters:
  ///   - last: The id of the last value that the loop has had, or nil.
  ///   - isSearching: Whether the store is to be asked for what is behind that id. It is false only
  ///     without an id.
  ///   - isConflated: Whether the store leaves out values that a later one replaces.
  ///   - id: The closure that returns the id of a value.
  init(
    after last: ID?, isSearching: Bool, isConflated: Bool = false, id: @escaping (Value) -> ID
  ) {
    self.isConflated = isConflated
    self.last = last
    self.id = id
    self.isSearching = isSearching
    isUnknown = !isSearching
  }

  /// Whether the next live value is given at once.
  @inlinable var isPassing: Bool {
    guard case .none = fill else { return false }
    return !isSearching && waiting.isEmpty && gap == nil && !account.isOpen
  }

  /// Accepts a live value while the splice is passing; returns whether the loop has not had it yet.
  @inlinable
  mutating func pass(_ value: Value) -> Bool {
    let id = id(value)
    if let last, id <= last { return false }
    last = id
    account.begin(after: id)
    return true
  }

  /// The id of the first value that waits.
  private var bound: ID? {
    for case .event(let event) in waiting { if let value = event.value { return id(value) } }
    return nil
  }

  /// The id behind which the store has resumed, if the loop has had no value since.
  private var resumed: ID? { hole.flatMap { $0.after == last ? $0.before : nil } }

  /// The id behind which the store is asked.
  private var start: ID? { resumed ?? last }

  /// Whether a live event can still bound the read.
  var wantsBound: Bool {
    for live in waiting {
      if case .event(let event) = live, event.value == nil { continue }
      return false
    }
    return true
  }

  mutating func next() -> Step {
    while true {
      if let gap {
        self.gap = nil
        return .give(.missed(gap))
      }
      switch fill {
      case .bounding where wantsBound: return .peek
      case .bounding: fill = .asking
      case .asking:
        let range = HistoryRange(after: start, before: bound)
        guard range.isEmpty else { return .ask(range) }
        // The store may know that the id is none of its own.
        if isSearching { return .ask(HistoryRange(after: start)) }
        fill = .none
      case .reading: return .pull
      case .none:
        guard !waiting.isEmpty else { return .fetch }
        if let step = process(waiting.removeFirst()) { return step }
      }
    }
  }

  /// Accepts a live event.
  mutating func receive(_ live: Live) { waiting.append(live) }

  /// Notes that no live event is there to bound the fill.
  mutating func nothingWaits() { fill = .asking }

  private mutating func process(_ live: Live) -> Step? {
    switch live {
    case .end(let failure):
      guard let lost = account.shortfall() else { return .end(failure) }
      waiting.insert(live, at: 0)
      return .give(.missed(lost))
    case .event(.missed(let count)):
      // Without an id the store would give everything.
      if isUnknown, last == nil { return .give(.missed(count)) }
      account.lose(count)
      beginFill()
      return nil
    case .event(.caughtUp):
      guard isSearching else { return .give(.caughtUp) }
      waiting.insert(live, at: 0)
      beginFill()
      return nil
    case .event(.replayed(let value)): return process(value, isLive: false)
    case .event(.live(let value)): return process(value, isLive: true)
    }
  }

  private mutating func process(_ value: Value, isLive: Bool) -> Step? {
    let id = id(value)
    if let last, id <= last {
      account.repeats(id)
      isBelow = true
      if id == last { isSearching = false }
      return nil
    }
    // The replay has the loop's place if it has something on both sides.
    if isBelow { isSearching = false }
    let event: Delivery<Value> = isLive ? .live(value) : .replayed(value)
    guard !isSearching else {
      waiting.insert(.event(event), at: 0)
      beginFill()
      return nil
    }
    if let lost = account.shortfall() {
      waiting.insert(.event(event), at: 0)
      return .give(.missed(lost))
    }
    (last, hasBeenGiven) = (id, true)
    if isLive { account.begin(after: id) }
    return .give(event)
  }

  private mutating func beginFill() {
    fill = .bounding
    isAlone = false
  }

  /// Notes that a read has begun.
  mutating func didAsk() { fill = .reading }

  /// Accepts a stored value; returns whether it is to be given.
  mutating func receive(stored value: Value) -> Bool {
    let id = id(value)
    if let start, id <= start {
      if id == start { isSearching = false }
      return false
    }
    isSearching = false
    if let bound, id >= bound {
      endFill()
      return false
    }
    (last, hasBeenGiven) = (id, true)
    account.recover()
    return true
  }

  /// Whether the loop has had a value, so that it never goes back.
  private var hasHadValue: Bool { hasBeenGiven || account.fence != nil }

  /// Whether a read goes on.
  var isReading: Bool { if case .reading = fill { true } else { false } }

  /// Lets the rest of the range be asked for.
  mutating func askAgain(alone: Bool) {
    fill = .asking
    isAlone = alone
  }

  /// Ends the fill, or asks again, behind the last value.
  ///
  /// - Parameters:
  ///   - isOwn: Whether the store was asked from where this loop is.
  ///   - isComplete: Whether the read had everything that the loop lacks.
  mutating func endRead(isOwn: Bool, isComplete: Bool) {
    if isOwn { isSearching = false }
    guard isComplete else { return askAgain(alone: false) }
    // The store was not asked for the id of this loop, and has not shown that it knows it.
    guard !isSearching else { return askAgain(alone: true) }
    endFill()
  }

  /// Ends the fill: the store has given what it has.
  private mutating func endFill() {
    fill = .none
    // All that was lost is given, or replaced.
    if isConflated, account.fence != nil, let last { account.begin(after: last) }
    gap = account.shortfall()
    // What a laggard has lost lies in front of the value that waits.
    guard case .event(let event)? = waiting.first, let value = event.value else { return }
    if last.map({ $0 < id(value) }) ?? true { account.settle() }
  }

  /// Ends the fill, or resumes it behind what the store has forgotten.
  mutating func fail(_ error: any Error, isOwn: Bool) {
    // The store was asked for more than this loop needs.
    guard isOwn else { return askAgain(alone: true) }
    fill = .none
    isSearching = false
    guard let forgotten = error as? HistoryGap<ID> else {
      guard account.isKnown, !isConflated else { return loseUnknown() }
      gap = account.shortfall()
      return
    }
    loseUnknown()
    guard let resuming = forgotten.resumingAfter else {
      // Nothing can be compared with an id that the store does not know.
      if !hasHadValue { (last, isUnknown) = (nil, true) }
      return
    }
    // A store that says the same again would be asked again and again.
    if let resumed, resuming <= resumed { return }
    if let last, resuming < last {
      // What the loop has had is never repeated.
      guard !hasHadValue else { return }
      self.last = nil
    }
    hole = HistoryRange(after: last, before: resuming)
    fill = .bounding
    isAlone = true
  }

  /// Releases the events that wait.
  mutating func leave() { waiting = [] }

  private mutating func loseUnknown() {
    gap = .some(nil)
    account.coverLosses()
  }
}
