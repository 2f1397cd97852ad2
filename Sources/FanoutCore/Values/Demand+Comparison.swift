// Unlimited is stored as `Int.max + 1`. Compared as numbers, it is therefore greater than every
// count and every `Int`, and no comparison has to treat it apart.

extension Subscribers.Demand {
  /// Whether two demands are the same; unlimited equals itself.
  @inlinable
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.rawValue == rhs.rawValue }

  /// Whether the first demand is less than the second.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }

  /// Whether the first demand is no more than the second; unlimited equals itself.
  @inlinable
  public static func <= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue <= rhs.rawValue }

  /// Whether the first demand is more than the second.
  @inlinable
  public static func > (lhs: Self, rhs: Self) -> Bool { lhs.rawValue > rhs.rawValue }

  /// Whether the first demand is no less than the second; unlimited equals itself.
  @inlinable
  public static func >= (lhs: Self, rhs: Self) -> Bool { lhs.rawValue >= rhs.rawValue }
}

extension Subscribers.Demand {
  /// Whether a demand is exactly this number; never so if it is unlimited.
  @inlinable
  public static func == (lhs: Self, rhs: Int) -> Bool { lhs.rawValue == rhs }

  /// Whether a demand is anything but this number; always so if it is unlimited.
  @inlinable
  public static func != (lhs: Self, rhs: Int) -> Bool { lhs.rawValue != rhs }

  /// Whether a demand is less than a number; never so if it is unlimited.
  @inlinable
  public static func < (lhs: Self, rhs: Int) -> Bool { lhs.rawValue < rhs }

  /// Whether a demand is no more than a number; never so if it is unlimited.
  @inlinable
  public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue <= rhs }

  /// Whether a demand is more than a number; always so if it is unlimited.
  @inlinable
  public static func > (lhs: Self, rhs: Int) -> Bool { lhs.rawValue > rhs }

  /// Whether a demand is no less than a number; always so if it is unlimited.
  @inlinable
  public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue >= rhs }
}

extension Subscribers.Demand {
  /// Whether a number is exactly a demand; never so if that is unlimited.
  @inlinable
  public static func == (lhs: Int, rhs: Self) -> Bool { lhs == rhs.rawValue }

  /// Whether a number is anything but a demand; always so if that is unlimited.
  @inlinable
  public static func != (lhs: Int, rhs: Self) -> Bool { lhs != rhs.rawValue }

  /// Whether a number is less than a demand; always so if that is unlimited.
  @inlinable
  public static func < (lhs: Int, rhs: Self) -> Bool { lhs < rhs.rawValue }

  /// Whether a number is no more than a demand; always so if that is unlimited.
  @inlinable
  public static func <= (lhs: Int, rhs: Self) -> Bool { lhs <= rhs.rawValue }

  /// Whether a number is more than a demand; never so if that is unlimited.
  @inlinable
  public static func > (lhs: Int, rhs: Self) -> Bool { lhs > rhs.rawValue }

  /// Whether a number is no less than a demand; never so if that is unlimited.
  @inlinable
  public static func >= (lhs: Int, rhs: Self) -> Bool { lhs >= rhs.rawValue }
}
