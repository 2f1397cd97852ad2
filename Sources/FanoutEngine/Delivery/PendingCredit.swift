public import Synchronization

/// Credit that was granted by any thread and that the drain has not taken up yet.
public struct PendingCredit: ~Copyable, Sendable {
  @usableFromInline let value = AtomicValue<UInt>(0)

  /// Makes an empty account.
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

  /// What waits, without taking it.
  @inlinable
  public borrowing func peek() -> Credit { Credit(rawValue: value.load(ordering: .acquiring)) }

  /// Takes what waits.
  @inlinable
  public borrowing func take() -> Credit {
    guard value.load(ordering: .relaxed) != 0 else { return .none }
    return Credit(rawValue: value.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Takes what allows one value; returns whether there was that much.
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
