/// The places in a pull log at which a newcomer would have started.
///
/// They are kept while a loop rejoins there, and follow from the keyframes, from where connections begin and close, and
/// from where the replay is cleared.
package struct StartPlaces: Sendable {
  /// A reason for which newcomers start elsewhere.
  enum Kind: Sendable {
    /// A newcomer starts at the next value, which is a keyframe, or the first one of a connection.
    case start
    /// A newcomer waits for the next start.
    case cleared
    /// No value comes before a connection begins.
    case closed
  }

  /// A place from which on a newcomer starts elsewhere.
  struct Change: Sendable {
    let kind: Kind
    let place: Int
    /// The place at which the connection began.
    let openedAt: Int

    init(_ kind: Kind, at place: Int, openedAt: Int) {
      self.kind = kind
      self.place = place
      self.openedAt = openedAt
    }

    /// Whether no loop waits behind it for an earlier start; that holds too if the replay is cleared just where a
    /// connection begins.
    var endsWaits: Bool { kind == .start || kind == .cleared && openedAt == place }
  }

  /// The changes in the order of their places, one for a place; those before `first` are used no more.
  var changes: [Change] = []
  var first = 0

  init() {}

  /// The latest change.
  var latest: Change? { first < changes.count ? changes.last : nil }

  /// Notes the latest change; of several at one place the last one holds.
  mutating func note(_ change: Change) {
    if latest?.place == change.place { changes.removeLast() }
    changes.append(change)
  }

  /// Forgets the changes before the latest one that holds at a place.
  mutating func forget(before place: Int) {
    while first &+ 1 < changes.count, changes[first &+ 1].place <= place { first &+= 1 }
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    guard first > 64, first > changes.count / 2 else { return }
    changes.removeSubrange(..<first)
    first = 0
  }

  /// Returns the place at which a loop goes on if a value is one too many for it.
  ///
  /// - Parameters:
  ///   - change: The change that holds at the value.
  ///   - index: The place of the value.
  ///   - place: The place of the first value that waits for the loop behind its replay.
  ///   - hasReplay: Whether a part of its replay waits.
  ///   - count: The greatest number of values that wait.
  /// - Returns: The place, `Int.max` if the loop waits for the next start, or nil if no start lies ahead.
  func restart(
    by change: Change, at index: Int, from place: Int, hasReplay: Bool, count: Int
  ) -> Int? {
    func isAhead(_ other: Int) -> Bool { other > place || (other == place && hasReplay) }
    switch change.kind {
    case .start: return isAhead(change.place) ? change.place : nil
    case .closed: return nil
    // Values of a connection that has closed are owed until too many of the next one wait too.
    case .cleared where isAhead(change.openedAt) && index < change.openedAt &+ count: return nil
    case .cleared: return endOfWait(behind: index)
    }
  }

  /// Returns the first place behind one at which no loop waits for a start any more; `Int.max` if there is none yet.
  func endOfWait(behind place: Int) -> Int {
    changes[index(behind: place)...].first(where: \.endsWaits)?.place ?? .max
  }

  /// Returns the next place behind one at which a loop may find what it has not found there.
  func nextLook(behind place: Int, count: Int) -> Int {
    let index = index(behind: place)
    let next = index < changes.count ? changes[index].place : .max
    guard index > first, changes[index &- 1].kind == .cleared else { return next }
    let owedUntil = changes[index &- 1].openedAt &+ count
    return owedUntil > place ? min(next, owedUntil) : next
  }

  /// Returns the change that holds at a place, or nil if no change before it is known; cost: O(log *n*).
  func change(at place: Int) -> Change? {
    let index = index(behind: place)
    return index > first ? changes[index &- 1] : nil
  }

  func index(behind place: Int) -> Int {
    // Mostly the newest value is asked for.
    if let latest, latest.place <= place { return changes.count }
    var (low, high) = (first, changes.count)
    while low < high {
      let middle = (low &+ high) / 2
      if changes[middle].place <= place { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}
