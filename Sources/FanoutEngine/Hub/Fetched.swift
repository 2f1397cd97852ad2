/// The result of a fetch.
public enum Fetched<Element, End> {
  /// A value.
  case element(Element)
  /// The end, once.
  case end(End)
  /// Nothing, and never anything more: the end was fetched, or the cursor was cancelled.
  case nothing
}

/// The work to do for pull cursors after the inbox is unlocked.
@usableFromInline
struct DeferredWork<Element, End> {
  typealias Receive = (Fetched<Element, End>) -> Void

  /// A cursor that has left the hub.
  struct Departure {
    let cursor: PullCursor<Element, End>
    let whenLeft: ((_ atEnd: Bool) -> Void)?
    /// Whether it was counted among those who have asked.
    let wasCounted: Bool
    let atEnd: Bool
  }

  var handovers: [(receive: Receive, fetched: Fetched<Element, End>)] = []
  var departures: [Departure] = []
  /// Cursors whose replay has moved on, so that the log may forget.
  var unpinned: [PullCursor<Element, End>] = []
  /// Values and objects to release.
  var skipped: [Element] = []
  var objects: [AnyObject] = []

  init() {}
}

@available(*, unavailable)
extension Fetched: Sendable {}

@available(*, unavailable)
extension DeferredWork: Sendable {}

@available(*, unavailable)
extension DeferredWork.Departure: Sendable {}
