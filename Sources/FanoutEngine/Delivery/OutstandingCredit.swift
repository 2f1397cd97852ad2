// Relaxed loads: invariant: each is a first guess; a compare-exchange decides.

public import Synchronization

/// The credit that a receiver requested and that no value has used, for an operator that may have to
/// continue with another source.
///
/// Any thread may add. Only the delivery that runs spends and closes.
public struct OutstandingCredit: ~Copyable, Sendable {
  @usableFromInline let value = AtomicValue<UInt>(0)

  @inlinable static var closed: UInt { .max }

  /// Creates an empty account.
  @inlinable public init() {}

  /// Adds, saturating, from any thread; returns false, having added nothing, once it is closed.
  @inlinable
  public borrowing func add(_ credit: Credit) -> Bool {
    var known = value.load(ordering: .acquiring)
    while known != Self.closed {
      let sum = Credit(rawValue: known) + credit
      let (isDone, found) = value.compareExchange(
        expected: known, desired: sum.rawValue, ordering: .acquiringAndReleasing)
      if isDone { return true }
      known = found
    }
    return false
  }

  /// Subtracts one for the value that is delivered next, down to zero.
  @inlinable
  public borrowing func spendOne() {
    var known = value.load(ordering: .relaxed)
    // Without limit or closed, it stays so, and nothing is written for each value.
    while known != 0, known < Credit.unlimited.rawValue {
      let (isDone, found) = value.compareExchange(
        expected: known, desired: known - 1, ordering: .acquiringAndReleasing)
      if isDone { return }
      known = found
    }
  }

  /// Closes the account and returns its credit.
  ///
  /// A later request belongs to the next source.
  @inlinable
  public borrowing func close() -> Credit {
    let left = value.exchange(Self.closed, ordering: .acquiringAndReleasing)
    return left == Self.closed ? .none : Credit(rawValue: left)
  }
}
