// Invariant: a pull log is reached only under the lock of its hub's inbox.

/// The log that the pull cursors of a hub share: every value accepted since the first of them came, until all
/// of them have fetched it.
///
/// A value enters it when it is accepted, not when it is delivered. It exists only while there is a pull
/// cursor.
@usableFromInline
package final class PullLog<Element, End> {
  @exclusivity(unchecked) @usableFromInline package var log = Log<Element>()
  @exclusivity(unchecked) @usableFromInline package var cursors =
    ArrivalList<PullCursor<Element, End>>()
  /// The number of cursors for which no value waits here.
  @exclusivity(unchecked) @usableFromInline var caughtUp = 0
  /// The number of cursors that want the newest values only.
  @exclusivity(unchecked) @usableFromInline var limited = 0

  @inlinable
  init() { noteCreation(of: self, isPart: true) }

  @inlinable
  deinit { log.destroy() }

  /// Adds a cursor, for which the values that come from now on wait.
  @inlinable
  func add(_ cursor: PullCursor<Element, End>) {
    cursors.append(cursor)
    caughtUp &+= 1
    if cursor.limit < .max { limited &+= 1 }
  }

  /// Adds a value for every attached cursor; `skipped` takes the values beyond a limit.
  ///
  /// Cursors that lag and have no limit are not looked at: the value lies behind their places.
  ///
  /// Returns whether a call may wait for the value, or a cursor may have given up values of its replay.
  @inlinable
  func append(_ element: Element, skipped: inout [Element]) -> Bool {
    log.append(element)
    log.forgetAll()
    guard caughtUp > 0 || limited > 0, let last = log.last else { return false }
    for cursor in cursors.members {
      if cursor.chunk == nil {
        caughtUp &-= 1
        cursor.chunk = last.raw
        cursor.index = log.end &- 1
        last.changeResting(at: cursor.index, arriving: true)
      }
      if cursor.limit < .max { skip(cursor, &skipped) }
    }
    return true
  }

  /// Gives up the oldest values of a cursor until no more wait than it wants.
  @inlinable
  func skip(_ cursor: PullCursor<Element, End>, _ skipped: inout [Element]) {
    guard !cursor.isJoining else { return }
    while cursor.replayCount &+ count(cursor) > cursor.limit {
      guard let element = cursor.takeReplay() ?? take(cursor) else { return }
      skipped.append(element)
    }
  }

  /// Returns the number of values that wait for a cursor, without its replay.
  @inlinable
  func count(_ cursor: PullCursor<Element, End>) -> Int {
    cursor.chunk == nil ? 0 : log.end &- cursor.index
  }

  /// Returns the number of values that wait for a cursor, with those of the batch that it has taken and without its
  /// replay.
  @inlinable
  func liveCount(_ cursor: PullCursor<Element, End>) -> Int { count(cursor) &+ cursor.held }

  /// Returns the number of values that wait for a cursor, with those of its replay and of the batch that it has taken.
  @inlinable
  func waitingCount(_ cursor: PullCursor<Element, End>) -> Int {
    cursor.replayCount &+ count(cursor) &+ cursor.held
  }

  /// The number of values that wait for each cursor that limits what the upstream is asked for.
  var waitingCounts: [Int] { cursors.members.filter { $0.size > 0 }.map(waitingCount) }

  /// Takes the next value for a cursor.
  ///
  /// The log gives up only that value, which the caller gets; so this call releases no value.
  @inlinable
  func take(_ cursor: PullCursor<Element, End>) -> Element? {
    guard let raw = cursor.chunk else { return nil }
    let chunk = Chunk<Element>(raw)
    let index = cursor.index
    let element = chunk.slot(index).pointee
    cursor.index &+= 1
    let next = cursor.index == chunk.end ? chunk.next : chunk
    cursor.chunk = next?.raw
    if next == nil { caughtUp &+= 1 }
    next?.changeResting(at: cursor.index, arriving: true)
    chunk.changeResting(at: index, arriving: false)
    // A chunk that is first is given up as a whole, and keeps its counts for when it is used again.
    if next?.raw != raw, chunk.isFull, raw != log.first?.raw { chunk.freeCounts() }
    _ = log.takeForgotten(before: index &+ 1)
    return element
  }

  /// Takes values that wait for a cursor beyond its replay, up to a number of them, if it may skip none.
  ///
  /// `batch` takes them, the oldest last.
  @inlinable
  func take(_ cursor: PullCursor<Element, End>, batch: inout [Element]) {
    guard cursor.limit == .max, cursor.replayCount == 0 else { return }
    let size = cursor.size == 0 ? Self.batchSize : min(Self.batchSize, (cursor.size &+ 1) / 2)
    while batch.count < size &- 1, let element = take(cursor) { batch.append(element) }
    batch.reverse()
  }

  /// The number of values that a loop takes at a time, so that it seldom waits for the sender's lock; one that limits
  /// what the upstream is asked for takes half of its backlog, so that the other half can come meanwhile.
  @inlinable static var batchSize: Int { 32 }

  /// Takes a cursor out; `released` takes what was kept for it alone.
  @inlinable
  func remove(_ cursor: PullCursor<Element, End>, released: inout [Element]) {
    cursors.remove(cursor)
    if let raw = cursor.chunk {
      Chunk<Element>(raw).changeResting(at: cursor.index, arriving: false)
      cursor.chunk = nil
    } else {
      caughtUp &-= 1
    }
    if cursor.limit < .max { limited &-= 1 }
    assert(caughtUp == cursors.members.reduce(0) { $1.chunk == nil ? $0 + 1 : $0 })
    while let element = log.takeForgotten(before: .max) { released.append(element) }
  }
}

/// The result of a fetch.
public enum Fetched<Element, End> {
  /// A value.
  case element(Element)
  /// The end, once.
  case end(End)
  /// Nothing, and never anything more: the end was fetched, or the cursor was cancelled.
  case nothing
}

/// The beginning of a call that waits for the next result of a cursor.
@usableFromInline
enum PullBeginning<Element, End> {
  case result(Fetched<Element, End>)
  case waiting(PendingCalls<Fetched<Element, End>>.Call)
}

/// The work to do for pull cursors after the inbox is unlocked.
@usableFromInline
struct DeferredWork<Element, End> {
  /// A cursor that has left the hub.
  @usableFromInline
  struct Departure {
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

  /// The first call that has got its result; mostly it is the only one, and takes no allocation.
  @usableFromInline var resumption: PendingCalls<Fetched<Element, End>>.Resumption?
  @usableFromInline var resumptions: [PendingCalls<Fetched<Element, End>>.Resumption] = []
  @usableFromInline var departures: [Departure] = []
  /// Cursors whose replay has moved on, so that the log may forget.
  @usableFromInline var unpinned: [PullCursor<Element, End>] = []
  /// Values and objects to release.
  @usableFromInline var skipped: [Element] = []
  @usableFromInline var objects: [AnyObject] = []

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool {
    resumption == nil && departures.isEmpty && unpinned.isEmpty && skipped.isEmpty
      && objects.isEmpty
  }

  @inlinable
  mutating func resume(_ call: PendingCalls<Fetched<Element, End>>.Resumption) {
    if resumption == nil { resumption = call } else { resumptions.append(call) }
  }
}

@available(*, unavailable)
extension PullLog: Sendable {}

@available(*, unavailable)
extension Fetched: Sendable {}

@available(*, unavailable)
extension PullBeginning: Sendable {}

@available(*, unavailable)
extension DeferredWork: Sendable {}

@available(*, unavailable)
extension DeferredWork.Departure: Sendable {}
