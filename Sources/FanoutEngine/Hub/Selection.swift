// Invariant: `selects` never changes, and any thread may call it; `arrivalIndex` is reached only
// under the lock of the hub's inbox; everything else is reached only by the holder of the hub's
// drain.

/// The choice of a receiver that takes only some of the hub's values, and what the hub has to know
/// about the others.
///
/// Such a receiver never rests in the log. What waits for it lies in its own queue, so that a value
/// that it does not take costs a call of the closure and nothing else.
public final class Selection<Element>: ArrivalListMember {
  /// The closure that returns whether the receiver takes a value; no lock is held when it is
  /// called.
  package let selects: (Element) -> Bool
  /// The index in the list of all selections, which is reached only under the lock of the inbox.
  @usableFromInline @exclusivity(unchecked) package var arrivalIndex = -1
  /// Whether a value that is handed to the receiver has not been looked at yet: the receiver is
  /// regular.
  @exclusivity(unchecked) var isDirect = false
  /// The state of the wait for a start.
  @exclusivity(unchecked) var wait = SelectionWait()

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

  /// Returns whether the receiver takes a header that is offered to it when its wait is over.
  ///
  /// It has looked at those that have come since it waits.
  func takesHeader(_ element: Element, at position: Int) -> Bool {
    wait.positions.contains(position) || (position < wait.from && selects(element))
  }
}

/// The values that a receiver would have taken while it waits for a start.
struct SelectionWait: Sendable {
  /// The position at which it began to wait.
  var from = 0
  /// The number of these values.
  var gone = 0
  /// The positions of those values that it takes and that may be headers.
  var positions: [Int] = []
  /// The number of positions above which those that are no headers any more are removed.
  var limit = 64

  init() {}
}

@available(*, unavailable)
extension Selection: Sendable {}
