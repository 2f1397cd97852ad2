// Relaxed loads: invariant: each is a first guess; a compare-exchange or an exchange decides.

public import Synchronization

/// The credit that threads requested and that the drain has not taken up.
public struct PendingCredit: ~Copyable, Sendable {
  @usableFromInline let value = AtomicValue<UInt>(0)

  /// Creates an empty account.
  @inlinable public init() {}

  /// Adds, saturating, from any thread.
  @inlinable
  public borrowing func add(_ credit: Credit) {
    var known = value.load(ordering: .relaxed)
    while true {
      let sum = Credit(rawValue: known) + credit
      let (exchanged, original) = value.compareExchange(
        expected: known, desired: sum.rawValue, successOrdering: .acquiringAndReleasing,
        failureOrdering: .relaxed)
      if exchanged { return }
      known = original
    }
  }

  /// Returns the credit without taking it.
  @inlinable
  public borrowing func peek() -> Credit { Credit(rawValue: value.load(ordering: .acquiring)) }

  /// Takes the credit.
  @inlinable
  public borrowing func take() -> Credit {
    guard value.load(ordering: .relaxed) != 0 else { return .none }
    return Credit(rawValue: value.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Takes the credit for one value; returns whether there was any.
  @inlinable
  public borrowing func takeOne() -> Bool {
    var known = value.load(ordering: .acquiring)
    while known != 0 {
      let left = Credit(rawValue: known).afterOne.rawValue
      // Without limit, nothing is written for each value.
      if left == known { return true }
      let (exchanged, original) = value.compareExchange(
        expected: known, desired: left, successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if exchanged { return true }
      known = original
    }
    return false
  }
}
