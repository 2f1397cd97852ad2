// Unsafe cast: invariant: `released()` makes `skipped`, and one piece of work is for one hub, so
// that all its values have one type.

/// The result of a fetch.
public enum Fetched<Element, End> {
  /// A value.
  case element(Element)
  /// The end, once.
  case end(End)
  /// Nothing, and never anything more: the end was fetched, or the cursor was cancelled.
  case nothing
  /// Something that is no value, or one of the replay: a loop that is told more than its values
  /// fetches it.
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
///
/// It has no type parameter, so that nothing is looked up for a value. The objects in it are
/// cursors of its hub.
@usableFromInline
struct DeferredWork {
  /// A cursor that has left the hub.
  struct Departure {
    let cursor: AnyObject
    let whenLeft: ((_ atEnd: Bool) -> Void)?
    /// Whether it was counted among the receivers that have requested a value.
    let wasCounted: Bool
    let atEnd: Bool

    init<Element, End>(_ cursor: PullCursor<Element, End>, atEnd: Bool) {
      self.cursor = cursor
      whenLeft = cursor.whenLeft
      wasCounted = cursor.isCounted
      self.atEnd = atEnd
    }
  }

  /// A call of a closure of the user's.
  enum UserCall {
    /// The closure makes the end that a cursor alone gets.
    case makeEnd(AnyObject)
    /// The closures find the keys of what waits for a cursor.
    case conflate(AnyObject)
    /// The scheduler measures a time with this number.
    case beginTime(ExpiryTimer, any Expiring, Int)
    /// Events wait for the observer.
    case observer
  }

  /// Everything but the first call; a value seldom leaves any of it.
  struct Rest {
    var tasks: [UnsafeContinuation<Void, Never>] = []
    var departures: [Departure] = []
    /// Cursors at which the holder of the drain has to look.
    var unpinned: [AnyObject] = []
    /// Calls of the user's closures.
    var userCalls: [UserCall] = []
    /// The values to release, in a queue.
    private var skipped: AnyObject?
    var objects: [AnyObject] = []

    /// Adds a value to release.
    mutating func skip<Element>(_ element: Element) { released().append(element) }

    /// The queue of the values to release.
    mutating func released<Element>() -> ValueQueue<Element> {
      let queue =
        skipped.map { unsafeDowncast($0, to: ValueQueue<Element>.self) } ?? ValueQueue<Element>()
      skipped = queue
      return queue
    }
  }

  /// The task of the first call that has got its result; mostly it is the only one, and takes no
  /// allocation.
  var task: UnsafeContinuation<Void, Never>?
  /// The rest, if there is any: its empty arrays would be retained and released with each value.
  var storedRest: Rest?

  @usableFromInline
  init() {}

  var isEmpty: Bool { task == nil && storedRest == nil }

  var rest: Rest {
    get { storedRest ?? Rest() }
    _modify {
      var rest = storedRest ?? Rest()
      storedRest = nil
      defer { storedRest = rest }
      yield &rest
    }
  }

  /// Adds a task that has got its result.
  @usableFromInline
  mutating func resume(_ task: UnsafeContinuation<Void, Never>) {
    if self.task == nil { self.task = task } else { resumeToo(task) }
  }

  // Seldom called, and large where it is inlined.
  @inline(never)
  private mutating func resumeToo(_ task: UnsafeContinuation<Void, Never>) {
    rest.tasks.append(task)
  }
}

@available(*, unavailable)
extension Fetched: Sendable {}
