internal import FanoutEngine
public import FanoutOperators
public import Foundation

/// A time as a run loop and an operation queue measure it: a date.
public struct DateSchedulerTime: Strideable, Hashable, Codable, Sendable {
  /// The same time as Foundation's type.
  public var date: Date

  /// Creates a time from Foundation's type.
  ///
  /// - Parameter date: The date.
  public init(_ date: Date) { self.date = date }

  /// Returns the distance to another time.
  ///
  /// - Parameter other: The other time.
  /// - Returns: The distance, negative if the other time is earlier.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// Returns the time at the specified distance from this one.
  ///
  /// - Parameter distance: The distance, which may be negative.
  /// - Returns: The time at that distance.
  public func advanced(by distance: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date.addingTimeInterval(distance.timeInterval))
  }

  /// Returns whether the first time is earlier than the second.
  public static func < (left: Self, right: Self) -> Bool { left.date < right.date }
}

extension DateSchedulerTime {
  /// A time interval in seconds, with a fraction.
  public struct Stride: _NumericInterval, Hashable, Codable, ExpressibleByFloatLiteral, Sendable {
    /// The length of the interval in seconds; negative if it goes back.
    public var magnitude: TimeInterval

    /// The same interval as Foundation's type.
    public var timeInterval: TimeInterval { magnitude }

    /// Creates an interval from Foundation's type; traps if the number is NaN.
    ///
    /// - Parameter timeInterval: The number of seconds.
    public init(_ timeInterval: TimeInterval) {
      trap(
        unless: !timeInterval.isNaN, "Stride(nan): a span of time needs a number of seconds.")
      magnitude = timeInterval
    }

    /// Creates an interval of the specified whole seconds.
    ///
    /// - Parameter value: The number of seconds.
    public init(integerLiteral value: TimeInterval) { self.init(value) }

    /// Creates an interval of the specified seconds.
    ///
    /// - Parameter value: The number of seconds, with a fraction.
    public init(floatLiteral value: TimeInterval) { self.init(value) }

    /// Creates an interval of the specified whole seconds, or nil if `TimeInterval` cannot
    /// represent the number exactly.
    ///
    /// - Parameter source: The number of seconds.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      self.init(seconds)
    }

    /// Returns whether the first interval is shorter; a negative one is shorter than zero.
    public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }

    /// Adds two intervals.
    public static func + (left: Self, right: Self) -> Self {
      Self(left.magnitude + right.magnitude)
    }

    /// Subtracts the second interval from the first.
    public static func - (left: Self, right: Self) -> Self {
      Self(left.magnitude - right.magnitude)
    }

    /// Multiplies two intervals, both as numbers of seconds.
    public static func * (left: Self, right: Self) -> Self {
      Self(left.magnitude * right.magnitude)
    }

    /// Creates an interval of the specified whole seconds.
    ///
    /// - Parameter s: The number of seconds, which may be negative.
    /// - Returns: The interval.
    public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

    /// Creates an interval of the specified seconds; traps if the number is NaN.
    ///
    /// - Parameter s: The number of seconds, with a fraction, which may be negative.
    /// - Returns: The interval.
    public static func seconds(_ s: Double) -> Self { Self(s) }

    /// Creates an interval of the specified milliseconds.
    ///
    /// - Parameter ms: The number of milliseconds, which may be negative.
    /// - Returns: The interval.
    public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1e3) }

    /// Creates an interval of the specified microseconds.
    ///
    /// - Parameter us: The number of microseconds, which may be negative.
    /// - Returns: The interval.
    public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1e6) }

    /// Creates an interval of the specified nanoseconds.
    ///
    /// - Parameter ns: The number of nanoseconds, which may be negative.
    /// - Returns: The interval.
    public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1e9) }
  }
}
