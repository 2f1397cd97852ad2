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
  @usableFromInline typealias Receive = (Fetched<Element, End>) -> Void

  /// A cursor that has left the hub.
  @usableFromInline
  struct Departure {
    @usableFromInline let cursor: PullCursor<Element, End>
    @usableFromInline let whenLeft: ((_ atEnd: Bool) -> Void)?
    /// Whether it was counted among those who have asked.
    @usableFromInline let wasCounted: Bool
    @usableFromInline let atEnd: Bool

    @inlinable
    init(_ cursor: PullCursor<Element, End>, atEnd: Bool) {
      self.cursor = cursor
      whenLeft = cursor.whenLeft
      wasCounted = cursor.isCounted
      self.atEnd = atEnd
    }
  }

  @usableFromInline var handovers: [(receive: Receive, fetched: Fetched<Element, End>)] = []
  @usableFromInline var departures: [Departure] = []
  /// Cursors whose replay has moved on, so that the log may forget.
  @usableFromInline var unpinned: [PullCursor<Element, End>] = []
  /// Values and objects to release.
  @usableFromInline var skipped: [Element] = []
  @usableFromInline var objects: [AnyObject] = []

  @inlinable
  init() {}
}

@available(*, unavailable)
extension Fetched: Sendable {}

@available(*, unavailable)
extension DeferredWork: Sendable {}

@available(*, unavailable)
extension DeferredWork.Departure: Sendable {}
