// Relaxed load: invariant: it is a first guess; an exchange decides.

public import Synchronization

/// The number of further values that a receiver allows: a count, or no limit.
///
/// Addition saturates. The representation is that of `Subscribers.Demand`, so a conversion is free.
@frozen
public struct Credit: Equatable, Sendable {
  /// The count; `unlimited` is one more than the largest `Int`.
  public let rawValue: UInt

  /// Creates a credit from a count; a count above the largest `Int` means no limit.
  public init(rawValue: UInt) {
    self.rawValue = min(rawValue, UInt(Int.max) + 1)
  }

  /// No value.
  public static var none: Credit { Credit(rawValue: 0) }
  /// Any number of values.
  public static var unlimited: Credit { Credit(rawValue: UInt(Int.max) + 1) }

  /// Whether there is no limit.
  public var isUnlimited: Bool { rawValue > UInt(Int.max) }

  /// Returns the sum, which has no limit if either operand has none or if it is too large.
  public static func + (left: Credit, right: Credit) -> Credit {
    if left.isUnlimited || right.isUnlimited { return .unlimited }
    return Credit(rawValue: left.rawValue + right.rawValue)
  }

  /// Returns whether that many values are allowed.
  public func covers(_ count: Int) -> Bool { rawValue >= UInt(bitPattern: count) }

  /// The credit that remains after one value.
  public var afterOne: Credit { isUnlimited ? self : Credit(rawValue: rawValue - 1) }
}

/// An account of credit that was requested, and that no drain has taken up or no value has used.
///
/// Any thread may add. In an operator that may have to continue with another source, the delivery
/// that runs spends the credit and closes the account.
@frozen
public struct CreditAccount: ~Copyable, Sendable {
  let value = AtomicValue<UInt>(0)

  static var closed: UInt { .max }

  /// Creates an empty account.
  public init() {}

  /// Adds, saturating, from any thread; returns false, having added nothing, once it is closed.
  @discardableResult
  public borrowing func add(_ credit: Credit) -> Bool {
    var known = value.load(ordering: .acquiring)
    // Without limit or closed, it stays so.
    while known < Credit.unlimited.rawValue {
      let sum = Credit(rawValue: known) + credit
      let (isDone, found) = value.compareExchange(
        expected: known, desired: sum.rawValue, successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if isDone { return true }
      known = found
    }
    return known != Self.closed
  }

  /// Returns the credit without taking it.
  public borrowing func peek() -> Credit { Credit(rawValue: value.load(ordering: .acquiring)) }

  /// Takes the credit.
  public borrowing func take() -> Credit {
    guard value.load(ordering: .relaxed) != 0 else { return .none }
    return Credit(rawValue: value.exchange(0, ordering: .acquiringAndReleasing))
  }

  /// Takes the credit for one value; returns whether there was any.
  @discardableResult
  public borrowing func takeOne() -> Bool {
    var known = value.load(ordering: .acquiring)
    while known != 0 {
      // Without limit or closed, nothing is written for each value.
      if known >= Credit.unlimited.rawValue { return true }
      let (isDone, found) = value.compareExchange(
        expected: known, desired: known - 1, successOrdering: .acquiringAndReleasing,
        failureOrdering: .acquiring)
      if isDone { return true }
      known = found
    }
    return false
  }

  /// Closes the account and returns its credit.
  ///
  /// A later request belongs to the next source.
  public borrowing func close() -> Credit {
    let left = value.exchange(Self.closed, ordering: .acquiringAndReleasing)
    return left == Self.closed ? .none : Credit(rawValue: left)
  }
}
