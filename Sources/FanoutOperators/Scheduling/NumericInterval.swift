/// A time interval that is a number, and whose literals are in seconds unless its type says
/// otherwise.
@_documentation(visibility: internal)
public protocol _NumericInterval: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable {}

extension SchedulerTimeIntervalConvertible where Self: _NumericInterval {
  /// Creates an interval of whole seconds from an integer literal.
  ///
  /// - Parameter value: The number of seconds.
  public init(integerLiteral value: Int) { self = .seconds(value) }

  /// Creates an interval of seconds from a floating-point literal.
  ///
  /// - Parameter value: The number of seconds, with a fraction.
  public init(floatLiteral value: Double) { self = .seconds(value) }

  /// Creates an interval of whole seconds, or nil if the number does not fit into `Int`.
  ///
  /// - Parameter source: The number of seconds.
  public init?(exactly source: some BinaryInteger) {
    guard let seconds = Int(exactly: source) else { return nil }
    self = .seconds(seconds)
  }

  /// Multiplies an interval by another one as a number.
  public static func *= (left: inout Self, right: Self) { left = left * right }
}

/// A time interval that is a whole number of one unit.
@_documentation(visibility: internal)
public protocol _WholeInterval: _NumericInterval where Magnitude == Int {
  /// Creates an interval of that many units.
  init(_magnitude: Int)
}

extension SchedulerTimeIntervalConvertible where Self: _WholeInterval {
  /// Returns whether the first interval is shorter; a negative one is shorter than zero.
  public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }

  /// Adds two intervals; a result outside the range of `Int` saturates.
  public static func + (left: Self, right: Self) -> Self {
    let (sum, isTooFar) = left.magnitude.addingReportingOverflow(right.magnitude)
    return Self(_magnitude: isTooFar ? (left.magnitude < 0 ? .min : .max) : sum)
  }

  /// Subtracts the second interval from the first; a result outside the range of `Int` saturates.
  public static func - (left: Self, right: Self) -> Self {
    let (rest, isTooFar) = left.magnitude.subtractingReportingOverflow(right.magnitude)
    return Self(_magnitude: isTooFar ? (left.magnitude < 0 ? .min : .max) : rest)
  }
}
