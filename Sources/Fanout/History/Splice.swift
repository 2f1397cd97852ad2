/// The decisions of a loop that gets stored values and then live ones: it has no lock and no task.
///
///      stored               the replay of the share      live
///     ├────────────────────┬──────────────────────────┬────────────
///     ↑ last               ↑ bound: the first one that waits
///
/// A *fill* asks the store for what lies between `last`, the greatest id that the loop has, and the first value that
/// the live stream has for it. It happens when the loop joins, and after each gap. Ids up to `last` are dropped, so
/// what both have comes once.
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

  /// Whether what is behind `last` is still to be found: in the replay, or by the store.
  @usableFromInline var isSearching = true
  /// Whether the replay had a smaller id than `last`.
  private var isBelow = false
  /// Whether the store has not known the id of the loop.
  private var isUnknown = false
  private var hasCaughtUp = false
  /// Whether this fill has given a value.
  private var hasFilled = false
  /// The id behind which the store has resumed during this fill.
  private var resumed: ID?
  /// Whether the next read must begin where the loop is.
  private(set) var isAlone = false

  init(after last: ID?, id: @escaping (Value) -> ID) {
    self.last = last
    self.id = id
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
        let range = HistoryRange(after: last, before: bound)
        guard range.isEmpty else { return .ask(range) }
        // The store may know that the id is none of its own.
        if isSearching { return .ask(HistoryRange(after: last)) }
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
      guard isSearching else {
        hasCaughtUp = true
        return .give(.caughtUp)
      }
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
    last = id
    if isLive { account.begin(after: id) }
    return .give(event)
  }

  private mutating func beginFill() {
    fill = .bounding
    hasFilled = false
    resumed = nil
    isAlone = false
  }

  /// Notes that a read has begun.
  mutating func didAsk() {
    fill = .reading
    isSearching = false
  }

  /// Accepts a stored value; returns whether it is to be given.
  mutating func receive(stored value: Value) -> Bool {
    let id = id(value)
    if let last, id <= last { return false }
    if let bound, id >= bound {
      endFill()
      return false
    }
    last = id
    hasFilled = true
    account.recover()
    return true
  }

  /// Whether a read goes on.
  var isReading: Bool { if case .reading = fill { true } else { false } }

  /// Lets the rest of the range be asked for.
  mutating func askAgain(alone: Bool) {
    fill = .asking
    isAlone = alone
  }

  /// Ends the fill: the store has given what it has.
  mutating func endFill() {
    fill = .none
    gap = account.shortfall()
    // What a laggard has lost lies in front of the value that waits.
    guard case .event(let event)? = waiting.first, let value = event.value else { return }
    if last.map({ $0 < id(value) }) ?? true { account.settle() }
  }

  /// Ends the fill, or resumes it behind what the store has forgotten.
  mutating func fail(_ error: any Error) {
    fill = .none
    guard let forgotten = error as? HistoryGap<ID> else {
      guard account.isKnown else { return loseUnknown() }
      gap = account.shortfall()
      return
    }
    loseUnknown()
    guard let resuming = forgotten.resumingAfter else {
      // Nobody knows the id, so nothing can be compared with it.
      if !hasCaughtUp, !hasFilled { (last, isUnknown) = (nil, true) }
      return
    }
    // A store that says the same again would be asked for ever.
    if let resumed, resuming <= resumed { return }
    // What the loop has is never repeated, and what waits for it is not skipped.
    if let last, hasCaughtUp || hasFilled, resuming < last { return }
    if let bound, resuming >= bound { return }
    resumed = resuming
    last = resuming
    fill = .bounding
    isAlone = true
  }

  private mutating func loseUnknown() {
    gap = .some(nil)
    account.coverLosses()
  }
}

/// The values that a loop has lost since the last live one, and those that the store has given back.
///
///     the last live value    a gap of unknown number      now
///     ├─────────────────────┼────────────────────────────┤
///      covered               lost
///
/// It proves what a store has forgotten without saying so. Before the first live value nothing is known: the store may
/// have values that were never live for this loop. Values are lost without their ids. So behind a gap of unknown
/// number it is unknown on which side of it a recovered value was lost.
@frozen @usableFromInline
struct GapAccount<ID: Comparable> {
  @usableFromInline var fence: ID?
  @usableFromInline var lost = 0
  @usableFromInline var recovered = 0
  /// Whether the number of lost values is known.
  @usableFromInline var isCounted = true
  /// The number of values that were lost in front of a gap of unknown number that was told.
  @usableFromInline var covered = 0

  @inlinable
  init() {}

  /// Whether values were lost or recovered since the last live one.
  @inlinable var isOpen: Bool { lost != 0 || recovered != 0 || !isCounted }

  /// Whether the number of values that are still missing is known.
  var isKnown: Bool { fence != nil && isCounted && covered == 0 }

  /// Begins anew behind a live value.
  @inlinable
  mutating func begin(after id: ID) {
    self = GapAccount()
    fence = id
  }

  /// Begins anew in front of a value that lies behind all that was lost or recovered.
  mutating func settle() {
    if let fence { begin(after: fence) }
  }

  /// Notes that a gap of unknown number is told: what is lost is part of it.
  ///
  /// What was recovered may be among values whose loss is only known later, so it still counts.
  mutating func coverLosses() {
    covered += lost
    lost = 0
  }

  mutating func lose(_ count: Int?) {
    if let count { lost += count } else { isCounted = false }
  }

  mutating func recover() { recovered += 1 }

  /// Notes a live value that the store had given before: it was not among the lost ones.
  mutating func repeats(_ id: ID) {
    if let fence, id > fence { recovered -= 1 }
  }

  /// Returns the gap to tell for what the store has not given, and counts it as told.
  ///
  /// - Returns: The number of missing values, nil if that is unknown; no gap if nothing can be missing.
  mutating func shortfall() -> Int?? {
    guard fence != nil, lost > 0 else { return .none }
    if isCounted {
      guard covered + lost > recovered else { return .none }
      if covered == 0 || recovered == 0 {
        defer { lost = recovered }
        return lost - recovered
      }
    }
    coverLosses()
    return .some(nil)
  }
}

@available(*, unavailable)
extension Splice: Sendable {}

@available(*, unavailable)
extension Splice.Live: Sendable {}

@available(*, unavailable)
extension Splice.Step: Sendable {}

@available(*, unavailable)
extension Splice.Fill: Sendable {}

@available(*, unavailable)
extension GapAccount: Sendable {}
