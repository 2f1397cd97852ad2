// `UnsafeTransfer` invariant: an interval of time and options are plain values, which do not
// change.

public import FanoutCore
internal import FanoutEngine

extension Scheduler where Self: Sendable {
  /// A publisher of this scheduler's time, again and again.
  ///
  /// Each subscriber has a timer of its own, which starts when it first requests a value; the first
  /// tick comes one interval later. `share()` makes one timer serve many. On a ``Scheduler`` that a
  /// test drives, ticks come when the test moves its clock.
  ///
  /// `Timer.publish(every:on:in:)` needs a run loop that runs, which an `async` `main` does not do.
  /// This publisher needs none: `DispatchQueue.main.ticks(every: .seconds(1))` works there too.
  ///
  /// - Demand: a tick without demand is left out, as a timer cannot be slowed down.
  /// - Completion, failure: none.
  /// - Cancel: stops the timer.
  /// - Concurrency: ticks are delivered where the scheduler runs its actions.
  /// - Ownership: the scheduler keeps the timer, and so the subscriber, until cancel.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks, more than 0. One of 0 or less traps.
  ///   - tolerance: The allowed lateness of a tick, or nil for the scheduler's own.
  ///   - options: The options of the scheduler, or nil.
  /// - Returns: A publisher that never ends.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let ticks = clock.ticks(every: .seconds(1)).scan(0) { count, _ in count + 1 }
  /// let shown = ticks.sink { print("tick", $0) }
  /// clock.advance(by: .seconds(3))
  /// shown.cancel()
  /// clock.advance(by: .seconds(3))
  /// // Prints:
  /// // tick 1
  /// // tick 2
  /// // tick 3
  /// ```
  public func ticks(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride? = nil,
    options: SchedulerOptions? = nil
  ) -> Publishers.Callback<SchedulerTimeType, Never> {
    ticks(every: interval, tolerance: tolerance, options: options) { $0 }
  }

  fileprivate func ticks<Time>(
    every interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride?,
    options: SchedulerOptions? = nil, _ time: @escaping @Sendable (SchedulerTimeType) -> Time
  ) -> Publishers.Callback<Time, Never> {
    trap(
      unless: interval > 0,
      "ticks(every: \(interval)): ticks would come without a pause; pass more than 0.")
    let terms = UnsafeTransfer((interval: interval, tolerance: tolerance, options: options))
    return Publishers.Callback(
      observing: { handler, _ in
        let interval = terms.value.interval
        return schedule(
          after: now.advanced(by: interval), interval: interval,
          tolerance: terms.value.tolerance ?? minimumTolerance, options: terms.value.options
        ) {
          handler(time(now))
        }
      }, remove: { timer in timer.cancel() })
  }
}

extension Clock where Duration == Swift.Duration {
  /// A publisher of this clock's time, again and again.
  ///
  /// It is ``Scheduler/ticks(every:tolerance:options:)`` on a ``ClockScheduler``: ticks come in a
  /// task on the cooperative pool. Ticks that are missed, because the clock went on while the
  /// process was suspended for instance, come as one.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks, more than 0. One of 0 or less traps.
  ///   - tolerance: The allowed lateness of a tick.
  /// - Returns: A publisher of instants that never ends.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let ticks = ContinuousClock().ticks(every: .milliseconds(1)).scan(0) { count, _ in count + 1 }
  /// for await tick in ticks.prefix(3).values { print("tick", tick) }
  /// // Prints:
  /// // tick 1
  /// // tick 2
  /// // tick 3
  /// ```
  @_disfavoredOverload  // A test scheduler is both, and its own form comes first.
  public func ticks(
    every interval: Duration, tolerance: Duration = .zero
  ) -> Publishers.Callback<Instant, Never> {
    scheduler.ticks(every: ClockInterval(interval), tolerance: ClockInterval(tolerance)) {
      $0.instant
    }
  }
}
