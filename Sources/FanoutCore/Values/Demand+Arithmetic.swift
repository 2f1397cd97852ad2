extension Subscribers.Demand {
  /// Adds two demands.
  ///
  /// The sum is unlimited if either demand is, or if the sum exceeds `Int.max`.
  public static func + (lhs: Self, rhs: Self) -> Self {
    let (sum, overflow) = lhs.rawValue.addingReportingOverflow(rhs.rawValue)
    return overflow ? .unlimited : Self(rawValue: sum)
  }

  /// Adds a demand to a demand, by the rules of `+`.
  public static func += (lhs: inout Self, rhs: Self) { lhs = lhs + rhs }

  /// Adds a number to a demand.
  ///
  /// An unlimited demand stays unlimited, whatever the number. A sum that exceeds `Int.max` is
  /// unlimited. The number may be negative: `.max(5) + -2` is `.max(3)`, and a sum below zero is
  /// ``none``.
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (sum, overflow) = count.addingReportingOverflow(rhs)
    return overflow ? .unlimited : Self(clamping: sum)
  }

  /// Adds a number to a demand, by the rules of `+`.
  public static func += (lhs: inout Self, rhs: Int) { lhs = lhs + rhs }

  /// Subtracts a demand from a demand.
  ///
  /// Unlimited minus any demand, also minus unlimited, stays unlimited. Any count minus unlimited
  /// is ``none``, and so is a difference below zero.
  public static func - (lhs: Self, rhs: Self) -> Self {
    if lhs == .unlimited { return .unlimited }
    return lhs.rawValue > rhs.rawValue ? Self(rawValue: lhs.rawValue &- rhs.rawValue) : .none
  }

  /// Subtracts a demand from a demand, by the rules of `-`.
  public static func -= (lhs: inout Self, rhs: Self) { lhs = lhs - rhs }

  /// Subtracts a number from a demand.
  ///
  /// An unlimited demand stays unlimited, whatever the number. A difference below zero is ``none``.
  /// The number may be negative: `.max(5) - -2` is `.max(7)`. But a difference that exceeds
  /// `Int.max` is ``none`` and not unlimited, as in Combine.
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    let (difference, overflow) = count.subtractingReportingOverflow(rhs)
    return overflow ? .none : Self(clamping: difference)
  }

  /// Subtracts a number from a demand, by the rules of `-`.
  public static func -= (lhs: inout Self, rhs: Int) { lhs = lhs - rhs }

  /// Multiplies a demand by a number.
  ///
  /// An unlimited demand stays unlimited, whatever the number, also zero. A product that exceeds
  /// `Int.max` is unlimited. A negative number gives ``none``.
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard let count = lhs.max else { return .unlimited }
    if rhs <= 0 { return .none }
    let (product, overflow) = count.multipliedReportingOverflow(by: rhs)
    return overflow ? .unlimited : Self(clamping: product)
  }

  /// Multiplies a demand by a number, by the rules of `*`.
  public static func *= (lhs: inout Self, rhs: Int) { lhs = lhs * rhs }

  init(clamping count: Int) {
    self.init(rawValue: count < 0 ? 0 : UInt(bitPattern: count))
  }
}
