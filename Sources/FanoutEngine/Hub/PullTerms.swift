// Invariant: the constants are set before the cursor joins; everything else is reached only under the lock of the
// hub's inbox.

/// The terms on which a loop that fetches has joined, and its account.
///
/// A loop without terms gets everything.
@usableFromInline package final class PullTerms<Element, End> {
  package let policy: BacklogPolicy<Element, End>
  /// The place at which the loop joins.
  package let place: JoinPlace<Element>
  /// The name of the loop in the hub's status.
  package let label: String?
  /// Whether the loop is told more than its values.
  @usableFromInline let isTold: Bool
  /// The number of the newest values with which the loop goes on, if its policy lets it rejoin; set when it joins.
  @exclusivity(unchecked) var restartCount: Int?
  /// Whether the loop rejoins at a start that only the values tell, and no wait precedes that; set when it joins.
  @exclusivity(unchecked) var seeksStart = false
  /// Whether the loop waits for the next start, and misses the values in front of it.
  @exclusivity(unchecked) package var awaitsStart = false
  /// The number of values that it has missed meanwhile.
  @exclusivity(unchecked) var missedAwaiting = 0
  /// Whether the loop waits for a start, or is too slow and has none ahead, if the upstream is asked for one.
  @exclusivity(unchecked) var lacksStart = false
  /// The number of times that it has rejoined.
  @exclusivity(unchecked) var rejoins = 0
  /// The oldest values that wait behind the replay, if the policy has dropped newer ones; later values wait here too,
  /// as long as there are any.
  @exclusivity(unchecked) package var kept: ValueQueue<Element>?
  /// The values that wait behind the replay while the policy conflates them; later ones wait there too.
  @exclusivity(unchecked) package var conflation: PullConflation<Element>?
  /// The number of values that have made way for a newer one of their key.
  @exclusivity(unchecked) var conflated = 0
  /// The time for which the upstream waits for the loop, if that ends.
  @exclusivity(unchecked) package var patience: BacklogPatience<Element, End>?
  /// The number of values that waited when the backlog was looked at last, if its wait ends.
  @exclusivity(unchecked) var knownCount = 0
  /// The end of the log at that time.
  @exclusivity(unchecked) var knownEnd = 0
  /// Whether the loop gets an end of its own behind what waits; nothing more waits for it.
  @exclusivity(unchecked) var isEnding = false
  /// The end that this loop alone gets, once it is made.
  @exclusivity(unchecked) package var end: End?
  /// The notices for a loop that is told more than its values, from when its replay is known until no more can come.
  @exclusivity(unchecked) var notices: PendingNotices?

  /// Creates terms.
  ///
  /// - Parameters:
  ///   - policy: The policy for the values that wait.
  ///   - place: The place at which the loop joins; it is no keyframe.
  ///   - label: The name of the loop in the hub's status.
  ///   - isTold: Whether the loop is told more than its values.
  package init(
    _ policy: BacklogPolicy<Element, End>, place: JoinPlace<Element> = .replay,
    label: String? = nil,
    isTold: Bool = false
  ) {
    self.policy = policy
    self.place = place
    self.label = label
    self.isTold = isTold
    noteCreation(of: self, isPart: true)
  }

  /// The closure that makes the end of a loop for which too many values wait; nil if another policy holds.
  var ending: (() -> End)? {
    policy.finalOverflow == .ends ? policy.makeEnd : nil
  }

  /// Whether it keeps the oldest values and not the newest.
  var keepsOldest: Bool {
    switch policy.finalOverflow {
    case .dropsNewest, .ends: true
    case .dropsOldest, .rejoins, .waits, .conflates: false
    }
  }

  /// Whether the loop finds a start behind a clear when it takes a value, or at the end.
  var looksAtClears: Bool {
    seeksStart || (restartCount ?? 0) > 0 && policy.patience == nil
  }

  /// Whether something may follow from a value that the loop takes.
  var notesTaken: Bool {
    conflation != nil || patience != nil || lacksStart
  }

  /// Whether later values wait elsewhere than in the pull log, or not at all.
  var isApart: Bool { isEnding || awaitsStart || kept != nil || conflation != nil }

  /// Whether the upstream waits for the loop until there is room.
  var waitsForEver: Bool { policy.limitsDemand && policy.patience == nil }

  /// Whether the upstream need not wait for the loop.
  var isWaitOver: Bool { isEnding || patience?.isOver == true }

  /// The number of values that wait here.
  @usableFromInline var apartCount: Int { kept?.count ?? conflation?.count ?? 0 }

  /// Copies the end that this loop alone gets to memory that holds none; returns false if it is not made yet.
  func copyEnd(to slot: UnsafeMutablePointer<End>) -> Bool {
    guard let end else { return false }
    slot.initialize(to: end)
    return true
  }

  /// Takes the first of the values that wait here.
  @usableFromInline
  func takeApart() -> Element? {
    if let conflation { return conflation.takeFirst() }
    guard let kept, let element = kept.popFirst() else { return nil }
    if kept.count == 0 { self.kept = nil }
    return element
  }
}

/// The replay that a loop gets at the place where it joins.
struct PullStart<Element> {
  /// The number of the newest values of the hub's log that are part of it.
  var logged = 0
  /// The values behind these.
  var values: [Element] = []
  /// Whether the loop may have missed values in front of it.
  var hasUnknownGap = false

  init() {}
}

@available(*, unavailable)
extension PullTerms: Sendable {}

@available(*, unavailable)
extension PullStart: Sendable {}
