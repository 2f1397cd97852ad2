public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream in arrays, one for each interval; no array is empty.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher, ArrayOutput,
    UpstreamFailure
  {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The strategy that decides when an array is complete.
    public let strategy: TimeGroupingStrategy<Context>
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher of the values of the specified upstream in arrays.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - strategy: The strategy that decides when an array is complete. A negative interval and a
    ///     count below 1 trap.
    ///   - options: The options passed with every scheduled action, or nil.
    public init(
      upstream: Upstream, strategy: TimeGroupingStrategy<Context>,
      options: Context.SchedulerOptions?
    ) {
      let parts = strategy.parts
      trap(
        unless: parts.interval >= .zero,
        "collect(.byTime), interval \(parts.interval): it cannot be negative; pass zero or more.")
      if let count = parts.count {
        trap(
          unless: count > 0,
          "collect(.byTimeOrCount), count \(count): an array has a value or more; pass 1 or more.")
      }
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    /// Attaches the specified subscriber, which receives its subscription on the subscribing
    /// thread.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == [Upstream.Output], S.Failure == Failure {
      let scheduler =
        switch strategy {
        case .byTime(let scheduler, _), .byTimeOrCount(let scheduler, _, _): scheduler
        }
      upstream.receive(
        subscriber: makeInner(ErasedSubscriber(subscriber), TimedPlace(scheduler, options)))
    }
  }

  /// A strategy for collecting values into arrays by time.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// An array for each interval of the specified length, as the scheduler measures it.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// An array for each interval, and also whenever the specified number of values has come.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
  }
}

extension Publishers.CollectByTime: Sendable
where
  Upstream: Sendable, Context: Sendable, Context.SchedulerTimeType.Stride: Sendable,
  Context.SchedulerOptions: Sendable
{}

extension Publishers.TimeGroupingStrategy: Sendable
where Context: Sendable, Context.SchedulerTimeType.Stride: Sendable {}

extension Publishers.TimeGroupingStrategy {
  /// The interval and the count of either case.
  var parts: (interval: Context.SchedulerTimeType.Stride, count: Int?) {
    switch self {
    case .byTime(_, let interval): (interval, nil)
    case .byTimeOrCount(_, let interval, let count): (interval, count)
    }
  }
}

extension Publisher {
  /// Collects values into arrays by time.
  ///
  /// ![Every four ticks the values since then arrive as an array. With a count of 3, an array arrives also when it is full.](collect-by-time)
  ///
  /// Intervals of equal length follow each other from the moment at which the subscription arrives.
  /// At the end of an interval, the values that came in it are delivered as one array. No array is
  /// empty. With `.byTimeOrCount` an array is also delivered as soon as it has that number of
  /// values; the intervals go on as before.
  ///
  /// - Demand: counts arrays. `.byTimeOrCount` requests as many values as the requested arrays can
  ///   hold, without those that wait. `.byTime`, whose arrays have no limit, requests everything
  ///   with the first request. An array that was not requested waits.
  /// - Completion, failure: arrive at the next opportunity, behind an array of the values that have
  ///   come since the last one. In Combine a failure drops these.
  /// - Cancel: passed up on the cancelling thread. Nothing is delivered after it, and the
  ///   subscriber and all values are released at once.
  /// - Concurrency: the subscription arrives on the subscribing thread, everything else on the
  ///   scheduler. An action is scheduled only for an interval in which a value has come.
  /// - Ownership: a scheduled action retains the subscription until it has run; after a cancel or
  ///   the end it retains nothing.
  ///
  /// - Parameters:
  ///   - strategy: The strategy that decides when an array is complete, with the scheduler on which
  ///     arrays and the completion are delivered. A negative interval and a count below 1 trap.
  ///     With an interval of zero, and on an `ImmediateScheduler`, which has no time, an array is
  ///     delivered at the next opportunity.
  ///   - options: The options passed with every scheduled action, or nil.
  /// - Returns: A publisher of arrays.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let readings = PassthroughSubject<Int, Never>()
  /// let stored = readings.collect(.byTimeOrCount(scheduler, 10, 3)).sink {
  ///   print("at", scheduler.now, $0)
  /// }
  /// for reading in 1...2 { readings.send(reading) }
  /// scheduler.advance(by: 12)
  /// for reading in 3...6 { readings.send(reading) }
  /// scheduler.advance(by: 30)
  /// stored.cancel()
  /// // Prints:
  /// // at 10 [1, 2]
  /// // at 12 [3, 4, 5]
  /// // at 20 [6]
  /// ```
  @preconcurrency
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S>
  where Output: Sendable {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}
