// Every function here is called under the lock of the inbox. Invariant: while a cursor is marked as
// queued, or has a place in the queue, that place is reached under this lock only;
// `takeWork(into:)` ends that, and the place is the holder's from then on. Unsafe casts: invariant:
// `work` holds cursors of its hub only.

internal import Synchronization

/// A signal that was accepted while another thread delivered, in the order of acceptance.
///
/// It has no type of values, so that nothing is looked up. Its value is the next one of `values`,
/// its end that of the inbox, and its cursor one of the hub.
package enum Work {
  case value
  case end
  case join(AnyObject)
  case joinPulling(AnyObject)
  case open
  case close
  /// The replay is to be given up.
  case clear
  /// The accounts of all receivers are to be made readable.
  case report
  /// The number of receivers is to be told.
  case count
  /// An upstream has come, and the hub limits what it asks for.
  case upstream(DeliverySource)
  /// A receiver that was to join has left before its turn.
  case withdrawn
}

/// A request or a cancel of a receiver while another thread delivered.
package struct ControlMessage {
  /// The cursor, without the types of the hub: an array of messages then has no look-up.
  let cursor: DeliverySource
  /// The node to notify when the cancelled cursor was removed.
  let receiver: ChainNode?
}

/// The part of a hub that is guarded by its lock: the work left for the delivering thread.
@usableFromInline
package struct Inbox<Element, End> {
  var work: [Work] = []
  /// The values of that work, oldest first.
  package var values = Log<Element>()
  /// The pieces of that work which the thread that delivers has brought itself.
  var own = OwnWork()
  /// The number of pieces of work and messages that other threads than that one have left.
  var foreign = 0
  /// The number of receivers that are to join.
  var joins = 0
  /// The number of those that have left and still take a place.
  var withdrawn = 0
  /// Whether the number of receivers is to be told in its turn.
  var isCountQueued = false
  var controls: [ControlMessage] = []
  /// Pull cursors whose replay has moved on, so that the log may forget; without their type, as in
  /// `ControlMessage`.
  var unpinned: [AnyObject] = []
  /// The values that wait for pull cursors, while there are any.
  @usableFromInline package var pullLog: PullLog<Element, End>?
  /// The `Offering` of the log, which retains it; without its type, so that nothing is looked up.
  @usableFromInline var offering: Unmanaged<AnyObject>?
  /// The accounts of the receivers, in the order in which these joined, once they are watched.
  package var accounts = ArrivalList<ReceiverAccount>()
  /// The selections of the receivers that take only some values.
  package var selections = ArrivalList<Selection<Element>>()
  /// The newest connection that was opened.
  var opened = 0
  /// The number of values accepted, if the hub was made to tell the newest.
  @usableFromInline var acceptedCount = 0
  // These come last: so the places of the others are known without the type of the values.
  /// The newest value accepted, if the hub was made to tell it.
  @usableFromInline var newest: Element?
  /// The end, once one was accepted.
  package var end: End?

  init(newest: Element?) { self.newest = newest }

  /// Copies the end, if there is one, to memory that holds none.
  @inline(never)
  func copyEnd(to slot: UnsafeMutablePointer<End>) { if let end { slot.initialize(to: end) } }
}

extension Inbox {
  /// The values that were accepted and not taken up yet; nil if what is remembered changes between
  /// them.
  var queuedValues: [Element]? {
    for work in work {
      switch work {
      case .open, .close, .clear: return nil
      case .value, .end, .join, .joinPulling, .upstream, .count, .report, .withdrawn: break
      }
    }
    return values.values
  }
}

/// The receivers that are to join: one that leaves before its turn takes its place along, so that
/// no more of them wait than are there.
extension Inbox {
  /// Lets a receiver wait for its turn to join.
  mutating func appendJoin(of cursor: Cursor<Element, End>) {
    cursor.signals.bitwiseOr(CursorSignal.queued, ordering: .relaxed)
    cursor.queuePlace = work.count
    work.append(.join(cursor))
    joins &+= 1
  }

  /// Lets a receiver that fetches wait for its turn to join.
  mutating func appendJoin(of cursor: PullCursor<Element, End>) {
    cursor.queuePlace = work.count
    work.append(.joinPulling(cursor))
    joins &+= 1
  }

  /// Takes back the join of a receiver, which waits here; the caller retains the receiver.
  @inline(never)
  mutating func withdrawJoin(of cursor: Cursor<Element, End>) {
    let place = cursor.queuePlace
    endWaiting(cursor)
    withdraw(at: place)
  }

  /// Takes back the join of a receiver that fetches, if it waits here; returns whether it did.
  ///
  /// The caller retains the receiver.
  @inline(never)
  mutating func withdrawJoin(of cursor: PullCursor<Element, End>) -> Bool {
    guard let place = cursor.queuePlace else { return false }
    cursor.queuePlace = nil
    withdraw(at: place)
    return true
  }

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
  mutating func closeGaps() {
    var filled = 0
    var newPlaces: [Int] = []
    for index in 0..<work.count {
      newPlaces.append(filled)
      switch work[index] {
      case .withdrawn: continue
      case .join(let cursor):
        unsafeDowncast(cursor, to: Cursor<Element, End>.self).queuePlace = filled
      case .joinPulling(let cursor):
        unsafeDowncast(cursor, to: PullCursor<Element, End>.self).queuePlace = filled
      default: break
      }
      if filled < index { work.swapAt(filled, index) }
      filled &+= 1
    }
    own.move { $0 < newPlaces.count ? newPlaces[$0] : filled }
    work.removeSubrange(filled...)
    withdrawn = 0
  }

  /// Takes out all work, for the holder of the drain, whose `batch` and `values` are empty.
  @inline(__always)
  mutating func takeWork(into batch: inout [Work], _ values: inout Log<Element>) {
    swap(&work, &batch)
    // By hand: the type of what `swap` exchanges would be looked up.
    let taken = self.values
    self.values = values
    values = taken
    withdrawn = 0
    isCountQueued = false
    if joins > 0 { endWaiting(in: batch) }
  }

  @inline(never)
  mutating func endWaiting(in batch: [Work]) {
    joins = 0
    for work in batch {
      switch work {
      case .join(let cursor): endWaiting(unsafeDowncast(cursor, to: Cursor<Element, End>.self))
      case .joinPulling(let cursor):
        unsafeDowncast(cursor, to: PullCursor<Element, End>.self).queuePlace = nil
      default: break
      }
    }
  }

  func endWaiting(_ cursor: Cursor<Element, End>) {
    cursor.signals.bitwiseAnd(~CursorSignal.queued, ordering: .relaxed)
    cursor.slot = -1
  }
}

extension Cursor {
  /// The place in the queue of a cursor that waits there to join, which has no slot yet.
  final var queuePlace: Int {
    get { -2 &- Int(slot) }
    set { slot = Int32(truncatingIfNeeded: -2 &- newValue) }
  }
}
