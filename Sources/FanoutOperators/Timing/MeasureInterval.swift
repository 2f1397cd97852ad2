public import FanoutCore

extension Publishers {
  /// A publisher of the time that has passed between the values of its upstream.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher, UpstreamFailure
  {
    /// The distance between two times of the scheduler.
    public typealias Output = Context.SchedulerTimeType.Stride

    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler that tells the time.
    public let scheduler: Context

    /// Creates a publisher of the time that has passed between the values of the specified
    /// upstream.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - scheduler: The scheduler that tells the time.
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }

    /// Attaches the specified subscriber, and begins to measure.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      // The state has the scheduler, although it never changes: a step is `Sendable`, and the
      // scheduler need not be.
      let step = ClosureStep<
        Self, Upstream.Output, (scheduler: Context, last: Context.SchedulerTimeType),
        Nonthrowing<Failure>
      > { _, state in
        let now = state.scheduler.now
        defer { state.last = now }
        return .value(state.last.distance(to: now))
      }
      upstream.receive(
        subscriber: StepSubscription(
          step, (scheduler, scheduler.now), name: "MeasureInterval", downstream: subscriber))
    }
  }
}

extension Publishers.MeasureInterval: Sendable where Upstream: Sendable, Context: Sendable {}

extension Publisher {
  /// Delivers, for each value, the time that has passed since the value before it.
  ///
  /// ![In place of each value the subscriber receives the number of ticks since the value before it, or since it subscribed.](measure-interval)
  ///
  /// The first time is measured from the moment at which the subscriber is attached; in Combine,
  /// from the arrival of the subscription, which with `subscribe(on:)` is later. The values
  /// themselves are left out.
  ///
  /// - Demand, completion, failure, cancel: pass straight through.
  /// - Concurrency: the time is read and delivered on the thread on which the value arrives.
  ///   Nothing is scheduled.
  /// - Ownership: retains the scheduler until the cancel or the end.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler that tells the time.
  ///   - options: Not used, as in Combine: nothing is scheduled.
  /// - Returns: A publisher of time intervals.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let taps = PassthroughSubject<String, Never>()
  /// let rhythm = taps.measureInterval(using: scheduler).sink { print($0) }
  /// for pause in [3, 1, 4] {
  ///   scheduler.advance(by: .milliseconds(pause))
  ///   taps.send("tap")
  /// }
  /// rhythm.cancel()
  /// // Prints:
  /// // 3
  /// // 1
  /// // 4
  /// ```
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}
