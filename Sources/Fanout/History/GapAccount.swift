/// The values that a loop has lost since the last live one, and those that the store has given
/// back.
///
///     the last live value    a gap of unknown number      now
///     ├─────────────────────┼────────────────────────────┤
///      covered               lost
///
/// It proves what a store has forgotten without saying so. Before the first live value nothing is
/// known: the store may have values that were never live for this loop. Values are lost without
/// their ids. So behind a gap of unknown number it is unknown on which side of it a recovered value
/// was lost.
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
  /// - Returns: The number of missing values, nil if that is unknown; no gap if nothing can be
  ///   missing.
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
