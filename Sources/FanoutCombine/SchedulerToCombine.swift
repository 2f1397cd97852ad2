// `Sent` invariant: the action goes to one scheduler, which runs it. By choosing that scheduler,
// the user has decided that everything the action uses may be used there.

#if canImport(Combine) || canImport(OpenCombine)
  internal import FanoutCore
  public import FanoutOperators

  #if canImport(Combine)
    public import Combine
  #else
    public import OpenCombine
  #endif

  /// A scheduler of Fanout's as one of Combine's.
  ///
  /// Times and intervals are those of the other scheduler, in a wrapper.
  public struct SchedulerToCombine<Base: FanoutOperators.Scheduler>: CombineScheduler {
    /// The options of the other scheduler.
    public typealias SchedulerOptions = Base.SchedulerOptions

    /// The other scheduler.
    public let base: Base

    /// Creates a scheduler of Combine's.
    ///
    /// - Parameter base: The scheduler of Fanout's.
    public init(base: Base) { self.base = base }

    /// The current time.
    public var now: SchedulerTimeType { SchedulerTimeType(base.now) }

    /// The minimum tolerance of the other scheduler.
    public var minimumTolerance: SchedulerTimeType.Stride {
      SchedulerTimeType.Stride(base.minimumTolerance)
    }

    /// Runs an action at the next opportunity.
    ///
    /// - Parameters:
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
      let action = Sent(action)
      base.schedule(options: options) { action.value() }
    }

    /// Runs an action at or soon after the specified time.
    ///
    /// - Parameters:
    ///   - date: The earliest time at which the action runs.
    ///   - tolerance: The allowed lateness.
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    public func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping () -> Void
    ) {
      let action = Sent(action)
      base.schedule(after: date.base, tolerance: tolerance.base, options: options) {
        action.value()
      }
    }

    /// Runs an action repeatedly, until the result is cancelled or released.
    ///
    /// - Parameters:
    ///   - date: The earliest time of the first run.
    ///   - interval: The time between two runs.
    ///   - tolerance: The allowed lateness of each run.
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run.
    /// - Returns: A cancellable that stops the repetition.
    public func schedule(
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
      _ action: @escaping () -> Void
    ) -> any CombineCancellable {
      let action = Sent(action)
      return base.schedule(
        after: date.base, interval: interval.base, tolerance: tolerance.base, options: options
      ) { action.value() }.combine
    }
  }

  extension SchedulerToCombine: Sendable where Base: Sendable {}

  extension FanoutOperators.Scheduler {
    /// This scheduler as one of Combine's.
    public var combine: SchedulerToCombine<Self> { SchedulerToCombine(base: self) }
  }

  extension SchedulerToCombine {
    /// A time as the other scheduler measures it.
    public struct SchedulerTimeType: Strideable {
      /// The same time as the other scheduler's type.
      public var base: Base.SchedulerTimeType

      /// Creates a time.
      ///
      /// - Parameter base: The time as the other scheduler's type.
      public init(_ base: Base.SchedulerTimeType) { self.base = base }

      /// Returns the distance to another time.
      ///
      /// - Parameter other: The other time.
      /// - Returns: The distance, negative if the other time is earlier.
      public func distance(to other: Self) -> Stride { Stride(base.distance(to: other.base)) }

      /// Returns the time at the specified distance from this one.
      ///
      /// - Parameter distance: The distance, which may be negative.
      /// - Returns: The time at that distance.
      public func advanced(by distance: Stride) -> Self { Self(base.advanced(by: distance.base)) }

      /// A time interval as the other scheduler measures it.
      public struct Stride: CombineTimeInterval, SignedNumeric, Comparable {
        /// The kind of the other scheduler's intervals.
        public typealias Interval = Base.SchedulerTimeType.Stride

        /// The same interval as the other scheduler's type.
        public var base: Interval

        /// The length of the interval.
        public var magnitude: Interval.Magnitude { base.magnitude }

        /// Creates an interval.
        ///
        /// - Parameter base: The interval as the other scheduler's type.
        public init(_ base: Interval) { self.base = base }

        /// Creates an interval from a literal, whose unit is that of the other scheduler.
        ///
        /// - Parameter value: The number of units.
        public init(integerLiteral value: Interval.IntegerLiteralType) {
          base = Interval(integerLiteral: value)
        }

        /// Creates an interval from a number in the unit of the other scheduler, or nil if it has
        /// no such interval.
        ///
        /// - Parameter source: The number of units.
        public init?<T: BinaryInteger>(exactly source: T) {
          guard let base = Interval(exactly: source) else { return nil }
          self.base = base
        }

        /// Returns whether the first interval is shorter; a negative one is shorter than zero.
        public static func < (left: Self, right: Self) -> Bool { left.base < right.base }

        /// Adds two intervals.
        public static func + (left: Self, right: Self) -> Self { Self(left.base + right.base) }

        /// Subtracts the second interval from the first.
        public static func - (left: Self, right: Self) -> Self { Self(left.base - right.base) }

        /// Multiplies two intervals, as the other scheduler does.
        public static func * (left: Self, right: Self) -> Self { Self(left.base * right.base) }

        /// Multiplies an interval by another one, as the other scheduler does.
        public static func *= (left: inout Self, right: Self) { left.base *= right.base }

        /// Creates an interval of the specified whole seconds.
        ///
        /// - Parameter s: The number of seconds, which may be negative.
        /// - Returns: The interval.
        public static func seconds(_ s: Int) -> Self { Self(.seconds(s)) }

        /// Creates an interval of the specified seconds.
        ///
        /// - Parameter s: The number of seconds, with a fraction, which may be negative.
        /// - Returns: The interval.
        public static func seconds(_ s: Double) -> Self { Self(.seconds(s)) }

        /// Creates an interval of the specified milliseconds.
        ///
        /// - Parameter ms: The number of milliseconds, which may be negative.
        /// - Returns: The interval.
        public static func milliseconds(_ ms: Int) -> Self { Self(.milliseconds(ms)) }

        /// Creates an interval of the specified microseconds.
        ///
        /// - Parameter us: The number of microseconds, which may be negative.
        /// - Returns: The interval.
        public static func microseconds(_ us: Int) -> Self { Self(.microseconds(us)) }

        /// Creates an interval of the specified nanoseconds.
        ///
        /// - Parameter ns: The number of nanoseconds, which may be negative.
        /// - Returns: The interval.
        public static func nanoseconds(_ ns: Int) -> Self { Self(.nanoseconds(ns)) }
      }
    }
  }

  extension SchedulerToCombine.SchedulerTimeType: Sendable where Base.SchedulerTimeType: Sendable {}

  extension SchedulerToCombine.SchedulerTimeType.Stride: Sendable
  where Base.SchedulerTimeType.Stride: Sendable {}
#endif
