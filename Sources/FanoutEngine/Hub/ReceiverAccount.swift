// Invariant: `arrivalIndex` is reached only under the lock of the hub's inbox; the other variables
// only by the holder of its drain. Relaxed stores: invariant: each number that any thread may read
// is read on its own.

internal import Synchronization

/// The account of one receiver of a hub, which exists while accounts are watched.
package final class ReceiverAccount: ArrivalListMember {
  @exclusivity(unchecked) package var arrivalIndex = -1
  /// The name that the receiver joined with.
  let label: String?
  let waiting = AtomicValue<Int>(0)
  let missed = AtomicValue<Int>(0)
  let rejoinCount = AtomicValue<Int>(0)
  let conflated = AtomicValue<Int>(0)
  /// The number of values that a receiver without a backlog has not asked for in time.
  @exclusivity(unchecked) var dropped = 0
  /// The part of the account that an observer knows.
  @exclusivity(unchecked) var told = ToldAccount()

  init(label: String?) {
    self.label = label
    noteCreation(of: self, isPart: true)
  }

  /// The account as any thread may read it.
  var status: ReceiverStatus {
    ReceiverStatus(
      label: label, waiting: waiting.load(ordering: .relaxed),
      missed: missed.load(ordering: .relaxed), rejoinCount: rejoinCount.load(ordering: .relaxed),
      conflated: conflated.load(ordering: .relaxed))
  }
}

/// The part of a receiver's account that an observer knows.
struct ToldAccount: Sendable {
  /// The number that the observer knows the receiver by; 0 if there is no observer.
  var number = 0
  private var missed = 0
  private var waiting = 0
  /// The account when it was looked at last.
  private var last = (missed: 0, waiting: 0, rejoinCount: 0)
  /// The number of values of the current gap that were told.
  private var gap = 0

  /// Notes for an observer what is new in the account.
  ///
  /// While the receiver misses values one after the other, their number is told whenever it has
  /// doubled, and the rest when the receiver goes on. So an observer learns of a gap at once, and
  /// of a long one not too often.
  ///
  /// - Parameters:
  ///   - now: The account.
  ///   - limit: The number of values that may wait for the receiver.
  ///   - leaves: Whether the receiver leaves.
  ///   - observer: The observer.
  /// - Returns: Whether anything was noted.
  mutating func tell(
    _ now: ReceiverStatus, limit: Int, leaves: Bool = false, _ observer: ReceiverCounter
  ) -> Bool {
    guard number > 0 else { return false }
    var events: [ReceiverEvent] = []
    let news = now.missed - missed
    // The account is looked at after each value that may have been missed, and whenever the
    // receiver takes one. Two looks at the same say nothing.
    let isOver = leaves || (now.missed == last.missed && now.waiting != last.waiting)
    (last.missed, last.waiting) = (now.missed, now.waiting)
    if news > 0, isOver || news >= gap {
      events.append(.missed(news))
      missed = now.missed
      gap += news
    }
    if isOver { gap = 0 }
    while last.rejoinCount < now.rejoinCount {
      events.append(.rejoined)
      last.rejoinCount += 1
    }
    // The first number that is told is 8, unless fewer may wait.
    let isMore = now.waiting >= max(waiting * 2, min(limit, 8), 1)
    if isMore || (waiting > 0 && now.waiting == 0) {
      events.append(.waiting(now.waiting))
      waiting = now.waiting
    }
    for event in events { observer.note(event, number: number, label: now.label) }
    return !events.isEmpty
  }

  /// Notes for an observer what is left of the account of a receiver that leaves, and that it
  /// leaves.
  mutating func tellLeave(_ now: ReceiverStatus, _ observer: ReceiverCounter) {
    guard number > 0 else { return }
    _ = tell(now, limit: .max, leaves: true, observer)
    observer.note(.left, number: number, label: now.label)
  }
}

/// An event of a hub's receiver, for an observer.
public enum ReceiverEvent: Sendable {
  /// The receiver has left.
  case left
  /// The receiver has missed a number of values more.
  case missed(Int)
  /// The receiver goes on where a newcomer would start.
  case rejoined
  /// The number of values that wait for the receiver has become a greater one, or 0.
  case waiting(Int)
}

/// An observer of a hub's receivers, or only of their number.
open class ReceiverCounter {
  /// Whether it wants the events of each receiver.
  public final let wantsEvents: Bool

  /// Creates an observer.
  public init(wantsEvents: Bool = false) { self.wantsEvents = wantsEvents }

  /// Receives the number of receivers; called by the holder of the drain, in order.
  open func receive(count: Int) {}

  /// Notes that a receiver has joined, and returns the number by which events tell it from others;
  /// may be called under a lock.
  open func noteJoin(label: String?) -> Int { 0 }

  /// Notes an event, in the order of events of this receiver; may be called under a lock.
  open func note(_ event: ReceiverEvent, number: Int, label: String?) {}

  /// Passes on what was noted; called without a lock.
  open func deliver() {}
}

@available(*, unavailable)
extension ReceiverCounter: Sendable {}
