internal import FanoutEngine

/// A span of time as the scheduler of a clock measures it: a `Duration`, and a number.
///
/// Literals are in seconds. A result beyond the range saturates, which is longer than the age of
/// the universe.
@frozen
public struct ClockInterval: _NumericInterval, Hashable, ExpressibleByFloatLiteral, Sendable,
  CustomStringConvertible
{
  /// The same span as a duration.
  public let duration: Duration

  /// Creates a span from a duration.
  ///
  /// - Parameter duration: The duration, which may be negative. One beyond the range is shortened
  ///   to it, so that a time can be as far away as that.
  public init(_ duration: Duration) {
    self.duration = min(max(duration, .seconds(Int64.min)), .seconds(Int64.max))
  }

  /// The length without its sign.
  public var magnitude: Self { duration < .zero ? 0 - self : self }

  /// Returns whether the first span is shorter; a negative one is shorter than zero.
  public static func < (left: Self, right: Self) -> Bool { left.duration < right.duration }

  /// Adds two spans.
  public static func + (left: Self, right: Self) -> Self { Self(left.duration + right.duration) }

  /// Subtracts the second span from the first.
  public static func - (left: Self, right: Self) -> Self { Self(left.duration - right.duration) }

  /// Multiplies two spans, both as numbers of seconds.
  public static func * (left: Self, right: Self) -> Self {
    .seconds(left.duration / .seconds(1) * (right.duration / .seconds(1)))
  }

  /// Creates a span of whole seconds.
  ///
  /// - Parameter s: The number of seconds, which may be negative.
  /// - Returns: The span.
  public static func seconds(_ s: Int) -> Self { Self(Duration.seconds(s)) }

  /// Creates a span of seconds and their fractions; traps if the number is NaN.
  ///
  /// - Parameter s: The number of seconds, which may be negative.
  /// - Returns: The span.
  public static func seconds(_ s: Double) -> Self {
    trap(unless: !s.isNaN, "seconds(nan): a span of time needs a number of seconds.")
    guard let whole = Int(exactly: s.rounded(.towardZero)) else {
      return .seconds(s < 0 ? Int.min : .max)
    }
    return Self(.seconds(whole) + .seconds(s - Double(whole)))
  }

  /// Creates a span of milliseconds.
  ///
  /// - Parameter ms: The number of milliseconds, which may be negative.
  /// - Returns: The span.
  public static func milliseconds(_ ms: Int) -> Self { Self(Duration.milliseconds(ms)) }

  /// Creates a span of microseconds.
  ///
  /// - Parameter us: The number of microseconds, which may be negative.
  /// - Returns: The span.
  public static func microseconds(_ us: Int) -> Self { Self(Duration.microseconds(us)) }

  /// Creates a span of nanoseconds.
  ///
  /// - Parameter ns: The number of nanoseconds, which may be negative.
  /// - Returns: The span.
  public static func nanoseconds(_ ns: Int) -> Self { Self(Duration.nanoseconds(ns)) }

  /// The text of the duration, such as `1.5 seconds`.
  public var description: String { duration.description }
}
