/// A scheduler that runs every action at once, within the call that schedules it.
///
/// It knows no time: also what is scheduled for a moment runs at once, and a repetition runs once.
///
/// ```swift
/// import Fanout
///
/// ImmediateScheduler.shared.schedule { print("first") }
/// print("second")
/// // Prints:
/// // first
/// // second
/// ```
public struct ImmediateScheduler: Scheduler, Sendable {
  /// There is nothing to choose.
  public typealias SchedulerOptions = Never

  /// The only one there need be.
  public static let shared = ImmediateScheduler()

  private init() {}

  /// The only moment.
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// Zero: nothing is ever late.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action at once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    action()
  }

  /// Runs an action at once, whatever the moment.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    action()
  }

  /// Runs an action at once, and never again.
  ///
  /// - Returns: What stops nothing.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}

extension ImmediateScheduler {
  /// The one moment that there is: no other is earlier or later.
  public struct SchedulerTimeType: Strideable, Sendable {
    init() {}

    /// Nothing.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The same moment.
    public func advanced(by distance: Stride) -> SchedulerTimeType { self }

    /// A span that is a number only; those made of seconds and parts of seconds are zero.
    public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Codable,
      ExpressibleByFloatLiteral, Sendable
    {
      /// The number.
      public var magnitude: Int

      /// Makes a span of a number.
      public init(_ value: Int) { magnitude = value }

      /// Makes a span of a number in the source.
      public init(integerLiteral value: Int) { self.init(value) }

      /// Makes a span of a number in the source, without its fraction.
      public init(floatLiteral value: Double) { self.init(Int(value)) }

      /// Makes a span of a number, if that fits.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      /// Whether one number is smaller.
      public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }

      /// Adds two numbers.
      public static func + (left: Self, right: Self) -> Self {
        Self(left.magnitude + right.magnitude)
      }

      /// Takes one number off another.
      public static func - (left: Self, right: Self) -> Self {
        Self(left.magnitude - right.magnitude)
      }

      /// Multiplies two numbers.
      public static func * (left: Self, right: Self) -> Self {
        Self(left.magnitude * right.magnitude)
      }

      /// Multiplies by a number.
      public static func *= (left: inout Self, right: Self) { left = left * right }

      /// Nothing.
      public static func seconds(_ s: Int) -> Self { 0 }

      /// Nothing.
      public static func seconds(_ s: Double) -> Self { 0 }

      /// Nothing.
      public static func milliseconds(_ ms: Int) -> Self { 0 }

      /// Nothing.
      public static func microseconds(_ us: Int) -> Self { 0 }

      /// Nothing.
      public static func nanoseconds(_ ns: Int) -> Self { 0 }
    }
  }
}
