/// A time interval that can be created from seconds and parts of seconds.
///
/// A ``Scheduler`` requires it of the distance between two of its times, so that generic code can
/// write `.seconds(2)` for any scheduler.
public protocol SchedulerTimeIntervalConvertible {
  /// Creates an interval of the specified whole seconds.
  ///
  /// - Parameter s: The number of seconds, which may be negative.
  /// - Returns: The interval.
  static func seconds(_ s: Int) -> Self

  /// Creates an interval of the specified seconds.
  ///
  /// - Parameter s: The number of seconds, with a fraction, which may be negative.
  /// - Returns: The interval, as exact as its type allows.
  static func seconds(_ s: Double) -> Self

  /// Creates an interval of the specified milliseconds.
  ///
  /// - Parameter ms: The number of milliseconds, which may be negative.
  /// - Returns: The interval, as exact as its type allows.
  static func milliseconds(_ ms: Int) -> Self

  /// Creates an interval of the specified microseconds.
  ///
  /// - Parameter us: The number of microseconds, which may be negative.
  /// - Returns: The interval, as exact as its type allows.
  static func microseconds(_ us: Int) -> Self

  /// Creates an interval of the specified nanoseconds.
  ///
  /// - Parameter ns: The number of nanoseconds, which may be negative.
  /// - Returns: The interval, as exact as its type allows.
  static func nanoseconds(_ ns: Int) -> Self
}
