/// A span of time that can be made from seconds and parts of seconds.
///
/// It is what a ``Scheduler`` asks of the distance between two of its times, so that code which
/// knows nothing of the scheduler can say `.seconds(2)`.
public protocol SchedulerTimeIntervalConvertible {
  /// Makes a span of so many whole seconds.
  ///
  /// - Parameter s: How many, which may be negative.
  /// - Returns: The span.
  static func seconds(_ s: Int) -> Self

  /// Makes a span of seconds and parts of one.
  ///
  /// - Parameter s: How many, which may be negative.
  /// - Returns: The span, as exact as its type can tell.
  static func seconds(_ s: Double) -> Self

  /// Makes a span of so many milliseconds.
  ///
  /// - Parameter ms: How many, which may be negative.
  /// - Returns: The span, as exact as its type can tell.
  static func milliseconds(_ ms: Int) -> Self

  /// Makes a span of so many microseconds.
  ///
  /// - Parameter us: How many, which may be negative.
  /// - Returns: The span, as exact as its type can tell.
  static func microseconds(_ us: Int) -> Self

  /// Makes a span of so many nanoseconds.
  ///
  /// - Parameter ns: How many, which may be negative.
  /// - Returns: The span, as exact as its type can tell.
  static func nanoseconds(_ ns: Int) -> Self
}
