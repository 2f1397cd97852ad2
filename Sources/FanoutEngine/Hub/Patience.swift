// Invariant: all variables but `expired` are reached only by the holder of the hub's drain, or
// under the lock of its inbox if the receiver is a loop that fetches. Relaxed loads and exchange:
// invariant: `expired` is a number that is read on its own and only grows; the message to the
// holder of the drain that follows the exchange orders it.

internal import Synchronization

/// An object that is told when a time is over.
public protocol Expiring: AnyObject {
  /// Ends the time that began with this epoch, unless another has begun.
  func expire(_ epoch: Int)
}

/// A time that begins anew again and again, and then is over.
open class ExpiryTimer {
  /// Creates a timer.
  public init() { noteCreation(of: self, isPart: true) }

  /// Begins the time anew, from now on.
  ///
  /// - Parameters:
  ///   - epoch: The number of the time. That of a later call is greater, but calls may overtake
  ///     each other.
  ///   - subject: The object to tell when the time is over; it is not retained.
  open func begin(_ epoch: Int, for subject: any Expiring) {}
}

/// The time for which a full backlog holds the upstream back.
package final class BacklogPatience<Element, End>: Expiring {
  package let timer: ExpiryTimer
  /// The receiver's cursor, which retains this object.
  package internal(set) weak var cursor: (any AwaitedReceiver)?
  /// The number of times that the backlog has become full or has got room.
  @exclusivity(unchecked) var epoch = 0
  /// Whether the backlog is full.
  @exclusivity(unchecked) var isFull = false
  /// The latest epoch whose time is over.
  let expired = AtomicValue<Int>(-1)

  init(_ patience: BacklogPolicy<Element, End>.Patience) {
    timer = patience.makeTimer()
    noteCreation(of: self, isPart: true)
  }

  /// Whether the time is over and the backlog is still full.
  var isOver: Bool { isFull && expired.load(ordering: .relaxed) == epoch }

  /// Notes whether the backlog is full; returns the number of the time that begins, if one does:
  /// when the backlog becomes full, or the receiver of a full one has taken a value.
  ///
  /// The caller begins it with no lock held, as the timer asks the user's scheduler.
  func note(isFull: Bool, hasTaken: Bool = false) -> Int? {
    guard isFull != self.isFull || isFull && hasTaken else { return nil }
    self.isFull = isFull
    epoch &+= 1
    return isFull ? epoch : nil
  }

  /// Begins the time that was noted with a number.
  func begin(_ epoch: Int) { timer.begin(epoch, for: self) }

  package func expire(_ epoch: Int) {
    // A scheduler may run its actions at the same time, so that an earlier time is told of behind a
    // later one.
    var known = expired.load(ordering: .relaxed)
    while known < epoch {
      let (isDone, original) = expired.compareExchange(
        expected: known, desired: epoch, ordering: .relaxed)
      if isDone { break }
      known = original
    }
    cursor?.noteWaitOver()
  }
}

/// A receiver for which the upstream waits no longer than a time.
package protocol AwaitedReceiver: AnyObject {
  /// Notes that the time is over, unless it has begun anew.
  func noteWaitOver()
}

extension Cursor: AwaitedReceiver {
  package final func noteWaitOver() { withHub { $0.attend(self) } }
}

extension PullCursor: AwaitedReceiver {
  package final func noteWaitOver() {
    _ = owner.withObject { _ in hub._withUnsafeGuaranteedRef { $0.attend(self) } }
  }
}

@available(*, unavailable)
extension ExpiryTimer: Sendable {}
