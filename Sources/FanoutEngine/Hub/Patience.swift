// Invariant: all variables but `expired` are reached only by the holder of the hub's drain. Relaxed loads and exchange:
// invariant: `expired` is a number that is read on its own and only grows; the message to the holder of the drain that
// follows the exchange orders it.

public import Synchronization

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
  ///   - epoch: The number of the time. That of a later call is greater, but calls may overtake each other.
  ///   - subject: The object to tell when the time is over; it is not retained.
  open func begin(_ epoch: Int, for subject: any Expiring) {}
}

/// The time for which a full backlog holds the upstream back.
@usableFromInline
package final class BacklogPatience<Element, End>: Expiring {
  @usableFromInline package let timer: ExpiryTimer
  @usableFromInline let then: BacklogPolicy<Element, End>.Overflow
  /// The receiver's cursor, which retains this object.
  @usableFromInline package private(set) weak var cursor: Cursor<Element, End>?
  /// The number of times that the backlog has become full or has got room.
  @exclusivity(unchecked) @usableFromInline var epoch = 0
  /// Whether the backlog is full.
  @exclusivity(unchecked) @usableFromInline var isFull = false
  /// The latest epoch whose time is over.
  @usableFromInline let expired = AtomicValue<Int>(-1)

  @inlinable
  init(_ patience: BacklogPolicy<Element, End>.Patience, _ cursor: Cursor<Element, End>) {
    timer = patience.makeTimer()
    then = patience.then
    self.cursor = cursor
    noteCreation(of: self, isPart: true)
  }

  /// Whether the time is over and the backlog is still full.
  @inlinable var isOver: Bool { isFull && expired.load(ordering: .relaxed) == epoch }

  /// Begins the time when the backlog becomes full or the receiver has taken a value, and ends it when there is room.
  @inlinable
  func update(isFull: Bool, hasTaken: Bool = false) {
    guard isFull != self.isFull || isFull && hasTaken else { return }
    self.isFull = isFull
    epoch &+= 1
    if isFull { timer.begin(epoch, for: self) }
  }

  @usableFromInline
  package func expire(_ epoch: Int) {
    // A scheduler may run its actions at the same time, so that an earlier time is told of behind a later one.
    var known = expired.load(ordering: .relaxed)
    while known < epoch {
      let (isDone, original) = expired.compareExchange(
        expected: known, desired: epoch, ordering: .relaxed)
      if isDone { break }
      known = original
    }
    guard let cursor else { return }
    cursor.withHub { $0.calls.attend($0, cursor, nil) }
  }
}

@available(*, unavailable)
extension ExpiryTimer: Sendable {}

@available(*, unavailable)
extension BacklogPatience: Sendable {}
