/// How many more values a receiver allows: a count, or without limit.
///
/// Adding saturates. The representation is the one that the core's demand has, so that a
/// conversion costs nothing.
@frozen
public struct Credit: Equatable, Sendable {
  /// The count; `unlimited` is one more than the largest `Int`.
  public let rawValue: UInt

  /// Makes a credit from a count; anything above the largest `Int` is without limit.
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

  /// The sum, without limit if either is or if it is too large.
  @inlinable
  public static func + (left: Credit, right: Credit) -> Credit {
    if left.isUnlimited || right.isUnlimited { return .unlimited }
    return Credit(rawValue: left.rawValue + right.rawValue)
  }

  /// What is left after one value was delivered.
  @inlinable
  public var afterOne: Credit { isUnlimited ? self : Credit(rawValue: rawValue - 1) }
}
