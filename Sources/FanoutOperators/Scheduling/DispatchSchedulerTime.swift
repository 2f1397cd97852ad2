#if canImport(Dispatch)
  // Dispatch does not declare all its types `Sendable`.
  @preconcurrency public import Dispatch
  internal import FanoutEngine

  extension DispatchScheduler {
    /// The options for an action on a queue.
    public struct SchedulerOptions: Sendable {
      /// The quality of service of the action.
      public var qos: DispatchQoS
      /// The work item flags of the action.
      public var flags: DispatchWorkItemFlags
      /// The group to which the action belongs until it has run.
      public var group: DispatchGroup?

      /// Creates options for an action.
      ///
      /// - Parameters:
      ///   - qos: The quality of service of the action.
      ///   - flags: The work item flags of the action.
      ///   - group: The group to which the action belongs until it has run; ignored for a
      ///     repetition.
      public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        group: DispatchGroup? = nil
      ) {
        self.qos = qos
        self.flags = flags
        self.group = group
      }
    }

    /// A time as a queue measures it.
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
      /// The same time as Dispatch's type.
      public var dispatchTime: DispatchTime

      /// Creates a time from Dispatch's type.
      ///
      /// - Parameter time: The time.
      public init(_ time: DispatchTime) { dispatchTime = time }

      /// Creates a time from its encoded nanoseconds.
      ///
      /// - Parameter decoder: The decoder to read from.
      /// - Throws: Any error that the decoder throws.
      public init(from decoder: any Decoder) throws {
        let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
        dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
      }

      /// Encodes the time as nanoseconds.
      ///
      /// - Parameter encoder: The encoder to write to.
      /// - Throws: Any error that the encoder throws.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dispatchTime.uptimeNanoseconds)
      }

      /// Returns the distance to another time.
      ///
      /// - Parameter other: The other time.
      /// - Returns: The distance, negative if the other time is earlier.
      public func distance(to other: SchedulerTimeType) -> Stride {
        let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
        if to >= from { return .nanoseconds(Int(clamping: to - from)) }
        return .nanoseconds(-Int(clamping: from - to))
      }

      /// Returns the time at the specified distance from this one.
      ///
      /// - Parameter distance: The distance, which may be negative. The longest possible distance
      ///   leads to the distant future.
      /// - Returns: The time at that distance.
      public func advanced(by distance: Stride) -> SchedulerTimeType {
        SchedulerTimeType(
          distance.magnitude == .max ? .distantFuture : dispatchTime + distance.timeInterval)
      }

      /// Returns whether the first time is earlier than the second.
      public static func < (left: Self, right: Self) -> Bool {
        left.dispatchTime < right.dispatchTime
      }

      /// Hashes the time.
      ///
      /// - Parameter hasher: The hasher that receives the time.
      public func hash(into hasher: inout Hasher) {
        hasher.combine(dispatchTime.rawValue)
      }

      /// A time interval in nanoseconds; literals are in seconds.
      ///
      /// A result outside the range of `Int` nanoseconds saturates.
      public struct Stride: _WholeInterval, Hashable, Codable, ExpressibleByFloatLiteral, Sendable {
        private static var perSecond: Int { 1_000_000_000 }

        /// The length of the interval in nanoseconds; negative if it goes back.
        public var magnitude: Int

        /// The same interval as Dispatch's type.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        /// Creates an interval of the specified nanoseconds.
        public init(_magnitude: Int) { magnitude = _magnitude }

        /// Creates an interval from Dispatch's type; `.never` becomes the longest interval.
        ///
        /// - Parameter timeInterval: The interval.
        public init(_ timeInterval: DispatchTimeInterval) {
          switch timeInterval {
          case .seconds(let count): self = .seconds(count)
          case .milliseconds(let count): self = .milliseconds(count)
          case .microseconds(let count): self = .microseconds(count)
          case .nanoseconds(let count): self = .nanoseconds(count)
          default: self = .nanoseconds(.max)
          }
        }

        /// Multiplies two intervals, both as numbers of seconds.
        public static func * (left: Self, right: Self) -> Self {
          .seconds(
            Double(left.magnitude) / Double(perSecond) * Double(right.magnitude)
              / Double(perSecond))
        }

        /// Creates an interval of the specified whole seconds.
        ///
        /// - Parameter s: The number of seconds, which may be negative.
        /// - Returns: The interval.
        public static func seconds(_ s: Int) -> Self { times(s, perSecond) }

        /// Creates an interval of the specified seconds; traps if the number is NaN.
        ///
        /// - Parameter s: The number of seconds, with a fraction, which may be negative.
        /// - Returns: The interval, rounded toward zero to whole nanoseconds.
        public static func seconds(_ s: Double) -> Self {
          trap(unless: !s.isNaN, "seconds(nan): a span of time needs a number of seconds.")
          let nanoseconds = (s * Double(perSecond)).rounded(.towardZero)
          return Self(
            _magnitude: Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
        }

        /// Creates an interval of the specified milliseconds.
        ///
        /// - Parameter ms: The number of milliseconds, which may be negative.
        /// - Returns: The interval.
        public static func milliseconds(_ ms: Int) -> Self { times(ms, 1_000_000) }

        /// Creates an interval of the specified microseconds.
        ///
        /// - Parameter us: The number of microseconds, which may be negative.
        /// - Returns: The interval.
        public static func microseconds(_ us: Int) -> Self { times(us, 1000) }

        /// Creates an interval of the specified nanoseconds.
        ///
        /// - Parameter ns: The number of nanoseconds, which may be negative.
        /// - Returns: The interval.
        public static func nanoseconds(_ ns: Int) -> Self { Self(_magnitude: ns) }

        private static func times(_ count: Int, _ unit: Int) -> Self {
          let (product, isTooFar) = count.multipliedReportingOverflow(by: unit)
          return Self(_magnitude: isTooFar ? (count < 0 ? .min : .max) : product)
        }
      }
    }
  }
#endif
