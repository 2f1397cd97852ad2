// Every function here is called under the lock of the inbox. Invariant: while a cursor is marked as queued, or has a
// place in the queue, that place is reached under this lock only; `takeWork(into:)` ends that, and the place is the
// holder's from then on.

public import Synchronization

/// The receivers that are to join: one that leaves before its turn takes its place along, so that no more
/// of them wait than are there.
extension Inbox {
  /// Whether a receiver waits here for its turn to join.
  @inlinable
  func holdsJoin(of cursor: Cursor<Element, End>) -> Bool {
    cursor.signals.load(ordering: .relaxed) & CursorSignal.queued != 0
  }

  /// Lets a receiver wait for its turn to join.
  @inlinable
  mutating func appendJoin(of cursor: Cursor<Element, End>) {
    cursor.signals.bitwiseOr(CursorSignal.queued, ordering: .relaxed)
    cursor.queuePlace = work.count
    work.append(.join(cursor))
    joins &+= 1
  }

  /// Lets a receiver that fetches wait for its turn to join.
  @inlinable
  mutating func appendJoin(of cursor: PullCursor<Element, End>) {
    cursor.queuePlace = work.count
    work.append(.joinPulling(cursor))
    joins &+= 1
  }

  /// Takes back the join of a receiver, which waits here; the caller retains the receiver.
  @inlinable
  @inline(never)
  mutating func withdrawJoin(of cursor: Cursor<Element, End>) {
    let place = cursor.queuePlace
    endWaiting(cursor)
    withdraw(at: place)
  }

  /// Takes back the join of a receiver that fetches, if it waits here; returns whether it did.
  ///
  /// The caller retains the receiver.
  @inlinable
  @inline(never)
  mutating func withdrawJoin(of cursor: PullCursor<Element, End>) -> Bool {
    guard let place = cursor.queuePlace else { return false }
    cursor.queuePlace = nil
    withdraw(at: place)
    return true
  }

  @inlinable
  mutating func withdraw(at place: Int) {
    work[place] = .withdrawn
    joins &-= 1
    withdrawn &+= 1
    while case .withdrawn? = work.last {
      work.removeLast()
      withdrawn &-= 1
    }
    if withdrawn > 16, withdrawn > work.count / 2 { closeGaps() }
  }

  /// Moves the work that waits together, in its order.
  @inlinable
  mutating func closeGaps() {
    var filled = 0
    var newPlaces: [Int] = []
    for index in 0..<work.count {
      newPlaces.append(filled)
      switch work[index] {
      case .withdrawn: continue
      case .join(let cursor): cursor.queuePlace = filled
      case .joinPulling(let cursor): cursor.queuePlace = filled
      default: break
      }
      if filled < index { work.swapAt(filled, index) }
      filled &+= 1
    }
    own.move { $0 < newPlaces.count ? newPlaces[$0] : filled }
    work.removeSubrange(filled...)
    withdrawn = 0
  }

  /// Takes out all work, for the holder of the drain, whose `batch` is empty.
  @inlinable
  mutating func takeWork(into batch: inout [Work<Element, End>]) {
    swap(&work, &batch)
    withdrawn = 0
    isCountQueued = false
    guard joins > 0 else { return }
    joins = 0
    for work in batch {
      switch work {
      case .join(let cursor): endWaiting(cursor)
      case .joinPulling(let cursor): cursor.queuePlace = nil
      default: break
      }
    }
  }

  @inlinable
  func endWaiting(_ cursor: Cursor<Element, End>) {
    cursor.signals.bitwiseAnd(~CursorSignal.queued, ordering: .relaxed)
    cursor.slot = -1
  }
}

extension Cursor {
  /// The place in the queue of a cursor that waits there to join, which has no slot yet.
  @inlinable
  final var queuePlace: Int {
    get { -2 &- Int(slot) }
    set { slot = Int32(truncatingIfNeeded: -2 &- newValue) }
  }
}
