/// The result of a fetch.
public enum Fetched<Element, End> {
  /// A value.
  case element(Element)
  /// The end, once.
  case end(End)
  /// Nothing, and never anything more: the end was fetched, or the cursor was cancelled.
  case nothing
  /// Nothing yet: a loop that is told more than its values fetches again.
  case again
}

/// The result of a loop's request for several values at once.
@usableFromInline package enum FoundBatch<End> {
  /// Values, or none that wait.
  case values
  /// The end; what values there are lie in front of it.
  case end(End)
  /// Nothing, and never anything more: the end was taken, or the loop was cancelled.
  case nothing
}

/// The beginning of a call that waits for the next result of a cursor.
@usableFromInline enum PullBeginning<Element, End> {
  case result(Fetched<Element, End>)
  case waiting(PendingCalls<Fetched<Element, End>>.Call)
}

/// The work to do for pull cursors after the inbox is unlocked.
@usableFromInline struct DeferredWork<Element, End> {
  /// A cursor that has left the hub.
  @usableFromInline struct Departure {
    @usableFromInline let cursor: PullCursor<Element, End>
    @usableFromInline let whenLeft: ((_ atEnd: Bool) -> Void)?
    /// Whether it was counted among the receivers that have requested a value.
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

  /// A call of a closure of the user's.
  @usableFromInline enum UserCall {
    /// The closure makes the end that a cursor alone gets.
    case makeEnd(PullCursor<Element, End>, () -> End)
    /// The closures find the keys of what waits for a cursor.
    case conflate(PullCursor<Element, End>)
    /// The scheduler measures a time with this number.
    case beginTime(BacklogPatience<Element, End>, Int)
    /// Events wait for the observer.
    case observer
  }

  /// Everything but the first call; a value seldom leaves any of it.
  @usableFromInline struct Rest {
    @usableFromInline var resumptions: [PendingCalls<Fetched<Element, End>>.Resumption] = []
    @usableFromInline var departures: [Departure] = []
    /// Cursors whose replay has moved on, so that the log may forget.
    @usableFromInline var unpinned: [PullCursor<Element, End>] = []
    /// Calls of the user's closures.
    @usableFromInline var userCalls: [UserCall] = []
    /// Values and objects to release.
    var skipped: [Element] = []
    @usableFromInline var objects: [AnyObject] = []

    @inlinable
    init() {}
  }

  /// The first call that has got its result; mostly it is the only one, and takes no allocation.
  @usableFromInline var resumption: PendingCalls<Fetched<Element, End>>.Resumption?
  /// The rest, if there is any: its empty arrays would be retained and released with each value.
  @usableFromInline var storedRest: Rest?

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { resumption == nil && storedRest == nil }

  @inlinable var rest: Rest {
    get { storedRest ?? Rest() }
    _modify {
      var rest = storedRest ?? Rest()
      storedRest = nil
      defer { storedRest = rest }
      yield &rest
    }
  }

  @inlinable
  mutating func resume(_ call: PendingCalls<Fetched<Element, End>>.Resumption) {
    if resumption == nil { resumption = call } else { rest.resumptions.append(call) }
  }
}

@available(*, unavailable)
extension Fetched: Sendable {}

@available(*, unavailable)
extension FoundBatch: Sendable {}

@available(*, unavailable)
extension PullBeginning: Sendable {}

@available(*, unavailable)
extension DeferredWork: Sendable {}

@available(*, unavailable)
extension DeferredWork.Departure: Sendable {}

@available(*, unavailable)
extension DeferredWork.Rest: Sendable {}

@available(*, unavailable)
extension DeferredWork.UserCall: Sendable {}
