// Unlimited is stored as `Int.max + 1`. Compared as a number, it is therefore greater than every
// count and every `Int`, and no comparison has to treat it as a special case.

extension Subscribers.Demand {
  /// Returns whether the first demand is less than the second; unlimited equals itself.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension Subscribers.Demand {
  /// Returns whether a demand is exactly this number; always false for unlimited.
  public static func == (lhs: Self, rhs: Int) -> Bool { lhs.rawValue == rhs }

  /// Returns whether a demand is anything but this number; always true for unlimited.
  public static func != (lhs: Self, rhs: Int) -> Bool { lhs.rawValue != rhs }

  /// Returns whether a demand is less than a number; always false for unlimited.
  public static func < (lhs: Self, rhs: Int) -> Bool { lhs.rawValue < rhs }

  /// Returns whether a demand is at most a number; always false for unlimited.
  public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue <= rhs }

  /// Returns whether a demand is greater than a number; always true for unlimited.
  public static func > (lhs: Self, rhs: Int) -> Bool { lhs.rawValue > rhs }

  /// Returns whether a demand is at least a number; always true for unlimited.
  public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.rawValue >= rhs }
}

extension Subscribers.Demand {
  /// Returns whether a number is exactly a demand; always false for unlimited.
  public static func == (lhs: Int, rhs: Self) -> Bool { lhs == rhs.rawValue }

  /// Returns whether a number is anything but a demand; always true for unlimited.
  public static func != (lhs: Int, rhs: Self) -> Bool { lhs != rhs.rawValue }

  /// Returns whether a number is less than a demand; always true for unlimited.
  public static func < (lhs: Int, rhs: Self) -> Bool { lhs < rhs.rawValue }

  /// Returns whether a number is at most a demand; always true for unlimited.
  public static func <= (lhs: Int, rhs: Self) -> Bool { lhs <= rhs.rawValue }

  /// Returns whether a number is greater than a demand; always false for unlimited.
  public static func > (lhs: Int, rhs: Self) -> Bool { lhs > rhs.rawValue }

  /// Returns whether a number is at least a demand; always false for unlimited.
  public static func >= (lhs: Int, rhs: Self) -> Bool { lhs >= rhs.rawValue }
}
