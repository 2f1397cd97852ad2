public import FanoutCore

/// A scheduler that runs every action at once, within the call that schedules it.
///
/// It has no time: an action scheduled for a later time runs at once too, and a repetition runs
/// once.
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
  /// The options of an action: there are none.
  public typealias SchedulerOptions = Never

  /// The shared scheduler, of which no second is needed.
  public static let shared = ImmediateScheduler()

  private init() {}

  /// The only time there is.
  public var now: SchedulerTimeType { SchedulerTimeType() }

  /// The minimum tolerance: zero, because no action is ever late.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action at once.
  ///
  /// - Parameters:
  ///   - options: Always nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    action()
  }

  /// Runs an action at once, whatever the time.
  ///
  /// - Parameters:
  ///   - date: Ignored.
  ///   - tolerance: Ignored.
  ///   - options: Always nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    action()
  }

  /// Runs an action at once, and never again.
  ///
  /// - Parameters:
  ///   - date: Ignored.
  ///   - interval: Ignored.
  ///   - tolerance: Ignored.
  ///   - options: Always nil.
  ///   - action: The closure to run, once.
  /// - Returns: A cancellable that does nothing.
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
  /// The only time of the scheduler: no other is earlier or later.
  public struct SchedulerTimeType: Strideable, Sendable {
    init() {}

    /// Returns the distance to another time, which is always zero.
    ///
    /// - Parameter other: The other time.
    /// - Returns: Zero.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// Returns the same time, whatever the distance.
    ///
    /// - Parameter distance: Ignored.
    /// - Returns: The same time.
    public func advanced(by distance: Stride) -> SchedulerTimeType { self }

    /// A time interval that is only a number; every interval made from seconds or parts of seconds
    /// is zero.
    public struct Stride: _WholeInterval, Codable, ExpressibleByFloatLiteral, Sendable {
      /// The value of the interval.
      public var magnitude: Int

      /// Creates an interval from a number.
      ///
      /// - Parameter value: The number.
      public init(_ value: Int) { magnitude = value }

      /// Creates an interval from a number.
      public init(_magnitude: Int) { magnitude = _magnitude }

      /// Creates an interval from an integer literal.
      ///
      /// - Parameter value: The number.
      public init(integerLiteral value: Int) { self.init(value) }

      /// Creates an interval from a floating-point literal, without its fraction.
      ///
      /// - Parameter value: The number.
      public init(floatLiteral value: Double) { self.init(Int(value)) }

      /// Creates an interval from a number, or nil if the number does not fit into `Int`.
      ///
      /// - Parameter source: The number.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        self.init(value)
      }

      /// Multiplies two numbers.
      public static func * (left: Self, right: Self) -> Self {
        Self(left.magnitude * right.magnitude)
      }

      /// Returns zero, whatever the number of seconds.
      public static func seconds(_ s: Int) -> Self { 0 }

      /// Returns zero, whatever the number of seconds.
      public static func seconds(_ s: Double) -> Self { 0 }

      /// Returns zero, whatever the number of milliseconds.
      public static func milliseconds(_ ms: Int) -> Self { 0 }

      /// Returns zero, whatever the number of microseconds.
      public static func microseconds(_ us: Int) -> Self { 0 }

      /// Returns zero, whatever the number of nanoseconds.
      public static func nanoseconds(_ ns: Int) -> Self { 0 }
    }
  }
}
