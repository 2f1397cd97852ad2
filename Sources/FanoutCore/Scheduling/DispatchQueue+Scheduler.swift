#if canImport(Dispatch)
  // Dispatch does not say of all its types that they are `Sendable`.
  @preconcurrency public import Dispatch

  #if !canImport(Combine)
    // Where there is Combine, a queue is a scheduler of Combine's, and has these names for it.
    extension DispatchQueue: Scheduler {
      /// A moment, as a queue counts time.
      public typealias SchedulerTimeType = DispatchScheduler.SchedulerTimeType
      /// How an action is to run on a queue.
      public typealias SchedulerOptions = DispatchScheduler.SchedulerOptions

      /// This moment.
      public var now: SchedulerTimeType { DispatchScheduler(self).now }

      /// Zero: how late an action is depends on the queue.
      public var minimumTolerance: SchedulerTimeType.Stride {
        DispatchScheduler(self).minimumTolerance
      }

      /// Runs an action on the queue, later than the call.
      @preconcurrency
      public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
        DispatchScheduler(self).schedule(options: options, action)
      }

      /// Runs an action on the queue, at some moment or after it.
      @preconcurrency
      public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
      ) {
        DispatchScheduler(self).schedule(
          after: date, tolerance: tolerance, options: options, action)
      }

      /// Runs an action on the queue again and again, until the result is cancelled or dropped.
      @preconcurrency
      public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping @Sendable () -> Void
      ) -> any Cancellable {
        DispatchScheduler(self).schedule(
          after: date, interval: interval, tolerance: tolerance, options: options, action)
      }
    }
  #endif

  /// A queue as a scheduler.
  ///
  /// Where there is no Combine, a `DispatchQueue` is a ``Scheduler`` itself, and this is not needed.
  ///
  /// ```swift
  /// import Dispatch
  /// import Fanout
  ///
  /// let isOver = DispatchSemaphore(value: 0)
  /// let shown = (1...3).publisher.receive(on: DispatchScheduler(.global())).sink(
  ///   receiveCompletion: { _ in isOver.signal() }, receiveValue: { print($0) })
  /// isOver.wait()
  /// shown.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // 3
  /// ```
  public struct DispatchScheduler: Scheduler, Sendable {
    /// Where actions run.
    public let queue: DispatchQueue

    /// Makes a scheduler that runs actions on a queue.
    ///
    /// - Parameter queue: A serial or a concurrent queue.
    public init(_ queue: DispatchQueue) { self.queue = queue }

    /// This moment.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    /// Zero: how late an action is depends on the queue.
    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    /// Runs an action on the queue, later than the call.
    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
      let options = options ?? SchedulerOptions()
      queue.async(
        group: options.group, qos: options.qos, flags: options.flags, execute: action)
    }

    /// Runs an action on the queue, at some moment or up to `tolerance` after it.
    @preconcurrency
    public func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
      let options = options ?? SchedulerOptions()
      guard tolerance > minimumTolerance else {
        options.group?.enter()
        return queue.asyncAfter(
          deadline: date.dispatchTime, qos: options.qos, flags: options.flags
        ) {
          action()
          options.group?.leave()
        }
      }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      options.group?.enter()
      // It keeps itself, until it has run.
      timer.setEventHandler(qos: options.qos, flags: options.flags) {
        action()
        timer.cancel()
        options.group?.leave()
      }
      timer.schedule(deadline: date.dispatchTime, leeway: tolerance.timeInterval)
      timer.activate()
    }

    /// Runs an action on the queue again and again, until the result is cancelled or dropped.
    @preconcurrency
    public func schedule(
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
      _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
      let options = options ?? SchedulerOptions()
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler(qos: options.qos, flags: options.flags, handler: action)
      timer.schedule(
        deadline: date.dispatchTime, repeating: interval.timeInterval,
        leeway: tolerance.timeInterval)
      timer.activate()
      return AnyCancellable { timer.cancel() }
    }
  }

  extension DispatchScheduler {
    /// How an action is to run on a queue.
    public struct SchedulerOptions: Sendable {
      /// How urgent it is.
      public var qos: DispatchQoS
      /// What else the queue is to do for it.
      public var flags: DispatchWorkItemFlags
      /// The group that it belongs to, until it has run.
      public var group: DispatchGroup?

      /// Makes options.
      ///
      /// - Parameters:
      ///   - qos: How urgent the action is.
      ///   - flags: What else the queue is to do for it.
      ///   - group: The group that it belongs to, until it has run; not for a repetition.
      public init(
        qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        group: DispatchGroup? = nil
      ) {
        self.qos = qos
        self.flags = flags
        self.group = group
      }
    }

    /// A moment, as a queue counts time.
    public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable {
      /// The same moment for Dispatch.
      public var dispatchTime: DispatchTime

      /// Makes a moment of one of Dispatch's.
      public init(_ time: DispatchTime) { dispatchTime = time }

      /// Reads a moment from its nanoseconds.
      public init(from decoder: any Decoder) throws {
        let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
        dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
      }

      /// Writes its nanoseconds.
      public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(dispatchTime.uptimeNanoseconds)
      }

      /// How much later the other moment is.
      ///
      /// - Parameter other: The other moment.
      /// - Returns: The distance, negative if the other one is earlier.
      public func distance(to other: SchedulerTimeType) -> Stride {
        let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
        if to >= from { return .nanoseconds(Int(clamping: to - from)) }
        return .nanoseconds(-Int(clamping: from - to))
      }

      /// The moment that is so much later.
      ///
      /// - Parameter distance: How much, which may be negative; the longest there is leads to the
      ///   distant future.
      /// - Returns: That moment.
      public func advanced(by distance: Stride) -> SchedulerTimeType {
        SchedulerTimeType(
          distance.magnitude == .max ? .distantFuture : dispatchTime + distance.timeInterval)
      }

      /// Whether one moment is earlier.
      public static func < (left: Self, right: Self) -> Bool {
        left.dispatchTime < right.dispatchTime
      }

      /// Hashes the nanoseconds.
      public func hash(into hasher: inout Hasher) {
        hasher.combine(dispatchTime.rawValue)
      }

      /// A span of time in nanoseconds; a number in the source is one of seconds.
      ///
      /// What would lie beyond the numbers saturates.
      public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable,
        Codable, ExpressibleByFloatLiteral, Sendable
      {
        private static var perSecond: Int { 1_000_000_000 }

        /// How many nanoseconds long it is, negative for what goes back.
        public var magnitude: Int

        /// The same span for Dispatch.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        private init(magnitude: Int) { self.magnitude = magnitude }

        /// Makes a span of one of Dispatch's; `.never` is the longest there is.
        public init(_ timeInterval: DispatchTimeInterval) {
          switch timeInterval {
          case .seconds(let count): self = .seconds(count)
          case .milliseconds(let count): self = .milliseconds(count)
          case .microseconds(let count): self = .microseconds(count)
          case .nanoseconds(let count): self = .nanoseconds(count)
          default: self = .nanoseconds(.max)
          }
        }

        /// Makes a span of seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }

        /// Makes a span of seconds and parts of one.
        public init(floatLiteral value: Double) { self = .seconds(value) }

        /// Makes a span of so many seconds, if that number fits.
        public init?<T: BinaryInteger>(exactly source: T) {
          guard let seconds = Int(exactly: source) else { return nil }
          self = .seconds(seconds)
        }

        /// Whether one span is shorter; a negative one is shorter than none.
        public static func < (left: Self, right: Self) -> Bool { left.magnitude < right.magnitude }

        /// Adds two spans.
        public static func + (left: Self, right: Self) -> Self {
          let (sum, isTooFar) = left.magnitude.addingReportingOverflow(right.magnitude)
          return Self(magnitude: isTooFar ? (left.magnitude < 0 ? .min : .max) : sum)
        }

        /// Takes one span off another.
        public static func - (left: Self, right: Self) -> Self {
          let (rest, isTooFar) = left.magnitude.subtractingReportingOverflow(right.magnitude)
          return Self(magnitude: isTooFar ? (left.magnitude < 0 ? .min : .max) : rest)
        }

        /// Multiplies the seconds of two spans.
        public static func * (left: Self, right: Self) -> Self {
          .seconds(
            Double(left.magnitude) / Double(perSecond) * Double(right.magnitude)
              / Double(perSecond))
        }

        /// Multiplies by the seconds of a span.
        public static func *= (left: inout Self, right: Self) { left = left * right }

        /// Makes a span of so many whole seconds.
        public static func seconds(_ s: Int) -> Self { times(s, perSecond) }

        /// Makes a span of seconds and parts of one; traps if it is not a number.
        public static func seconds(_ s: Double) -> Self {
          precondition(!s.isNaN, "NaN seconds are no span of time.")
          let nanoseconds = (s * Double(perSecond)).rounded(.towardZero)
          return Self(
            magnitude: Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
        }

        /// Makes a span of so many milliseconds.
        public static func milliseconds(_ ms: Int) -> Self { times(ms, 1_000_000) }

        /// Makes a span of so many microseconds.
        public static func microseconds(_ us: Int) -> Self { times(us, 1000) }

        /// Makes a span of so many nanoseconds.
        public static func nanoseconds(_ ns: Int) -> Self { Self(magnitude: ns) }

        private static func times(_ count: Int, _ unit: Int) -> Self {
          let (product, isTooFar) = count.multipliedReportingOverflow(by: unit)
          return Self(magnitude: isTooFar ? (count < 0 ? .min : .max) : product)
        }
      }
    }
  }
#endif
