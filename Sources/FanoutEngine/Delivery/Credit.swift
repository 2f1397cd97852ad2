/// The number of further values that a receiver allows: a count, or no limit.
///
/// Addition saturates. The representation is that of `Subscribers.Demand`, so a conversion is free.
@frozen
public struct Credit: Equatable, Sendable {
  /// The count; `unlimited` is one more than the largest `Int`.
  public let rawValue: UInt

  /// Creates a credit from a count; a count above the largest `Int` means no limit.
  @inlinable
  public init(rawValue: UInt) {
    self.rawValue = min(rawValue, UInt(Int.max) + 1)
  }

  /// No value.
  @inlinable public static var none: Credit { Credit(rawValue: 0) }
  /// Any number of values.
  @inlinable public static var unlimited: Credit { Credit(rawValue: UInt(Int.max) + 1) }

  /// Whether there is no limit.
  @inlinable public var isUnlimited: Bool { rawValue > UInt(Int.max) }

  /// Returns the sum, which has no limit if either operand has none or if it is too large.
  @inlinable
  public static func + (left: Credit, right: Credit) -> Credit {
    if left.isUnlimited || right.isUnlimited { return .unlimited }
    return Credit(rawValue: left.rawValue + right.rawValue)
  }

  /// Returns whether that many values are allowed.
  @inlinable
  public func covers(_ count: Int) -> Bool { rawValue >= UInt(bitPattern: count) }

  /// The credit that remains after one value.
  @inlinable
  public var afterOne: Credit { isUnlimited ? self : Credit(rawValue: rawValue - 1) }
}
