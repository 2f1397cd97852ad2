// Invariant: `selects` never changes, and any thread may call it; `arrivalIndex` is reached only under the lock of the
// hub's inbox; everything else is reached only by the holder of the hub's drain.

/// The choice of a receiver that takes only some of the hub's values, and what the hub has to know about the others.
///
/// Such a receiver never rests in the log. What waits for it lies in its own queue, so that a value that it does not
/// take costs a call of the closure and nothing else.
public final class Selection<Element>: ArrivalListMember {
  /// A value that waits for a receiver which rejoins.
  struct Entry {
    /// The position of the value.
    let position: Int
    /// Whether it is a header in front of the place at which the receiver has started.
    var isInFront: Bool
    /// Whether the account of the receiver counts it.
    let counts: Bool

    init(position: Int, isInFront: Bool, counts: Bool) {
      self.position = position
      self.isInFront = isInFront
      self.counts = counts
    }
  }

  /// The closure that returns whether the receiver takes a value; no lock is held when it is called.
  package let selects: (Element) -> Bool
  /// The index in the list of all selections, which is reached only under the lock of the inbox.
  @usableFromInline @exclusivity(unchecked) package var arrivalIndex = -1
  /// Whether a value that is handed to the receiver has not been looked at yet: the receiver is regular.
  @exclusivity(unchecked) var isDirect = false
  /// Whether the receiver takes the newest of the values that have come since something waits for it.
  @exclusivity(unchecked) var takesNewest = false
  /// The entries of the values that wait, the first of which have been taken; only of a receiver that rejoins.
  @exclusivity(unchecked) var entries: [Entry] = []
  /// The index among the receiver's own values of the first entry.
  @exclusivity(unchecked) var firstIndex = 0
  /// The state of the wait for a start.
  @exclusivity(unchecked) var wait = Wait()

  /// The values that a receiver would have taken while it waits for a start.
  struct Wait {
    /// The position at which it began to wait.
    var from = 0
    /// The number of these values.
    var gone = 0
    /// The number of headers that waited for it before and that count.
    var pending = 0
    /// The positions of those of these values and of these headers that may still be headers.
    var positions: [Int] = []
    /// The number of positions above which those that are no headers any more are removed.
    var limit = 64

    init() {}

    /// Returns the number of values that it has missed meanwhile if it gets the headers at some positions that count.
    func missed(given count: Int) -> Int { gone &- (count &- pending) }
  }

  /// Creates a selection.
  ///
  /// - Parameter selects: The closure that returns whether the receiver takes a value.
  public init(_ selects: @escaping (Element) -> Bool) {
    self.selects = selects
    noteCreation(of: self, isPart: true)
  }

  /// Returns whether the receiver takes a value that is handed to it.
  @usableFromInline
  @inline(__always)
  package func takes(_ element: Element) -> Bool { isDirect ? selects(element) : true }

  /// Removes the entries of values that do not wait any more: those in front of an index of the receiver's own values.
  func removeEntries(before index: Int) {
    let taken = min(index &- firstIndex, entries.count)
    // So that each entry is moved once at most, amortised.
    guard taken > entries.count / 2 || taken == entries.count else { return }
    entries.removeFirst(taken)
    firstIndex &+= taken
  }

  /// Returns the entries of the values that wait, the first of which has an index.
  func entries(from index: Int) -> ArraySlice<Entry> {
    entries.dropFirst(max(0, index &- firstIndex))
  }

  /// Begins to wait for a start, at a position.
  func beginWait(at position: Int) {
    wait = Wait()
    wait.from = position
  }

  /// Returns whether the receiver takes a header that is offered to it when its wait is over.
  ///
  /// It has looked at those that have come since it waits.
  func takesHeader(_ element: Element, at position: Int) -> Bool {
    wait.positions.contains(position) || (position < wait.from && selects(element))
  }
}

@available(*, unavailable)
extension Selection: Sendable {}

@available(*, unavailable)
extension Selection.Entry: Sendable {}

@available(*, unavailable)
extension Selection.Wait: Sendable {}

extension LimitedBacklog {
  /// Appends a value that its receiver takes.
  func append(_ element: Element, at position: Int, isInFront: Bool = false, counts: Bool = true) {
    if policy.isRejoining, let selection {
      selection.removeEntries(before: log.head)
      if selection.entries.isEmpty { selection.firstIndex = log.end }
      selection.entries.append(.init(position: position, isInFront: isInFront, counts: counts))
    }
    append(element)
  }
}
