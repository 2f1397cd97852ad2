public import FanoutCore
internal import FanoutEngine

/// A scheduler whose time is that of a clock.
///
/// Every operator and every policy that takes a ``Scheduler`` works with a clock through this one
/// type. `debounce(for: .seconds(1))` makes one of a `ContinuousClock`; `clock.scheduler` makes one
/// to pass on, to `receive(on:)` for instance.
///
/// - Concurrency: actions run in tasks of their own on the cooperative pool, which have the default
///   priority and no task-local values. The actions of one scheduler and its copies run one after
///   another, with no lock held: those for a time in order of their times, and of their arrival if
///   these are equal; those without a time in order of arrival. After 128 actions other tasks get
///   their turn. An action must not block its thread.
/// - Time: an action comes when `sleep(until:tolerance:)` of the clock returns, or when the clock
///   shows that its time has come. While several wait, the least of their tolerances holds.
///   A repetition that is late by several intervals runs once for them, and stays on its grid.
/// - Cancel: releases the action before it returns. The sleep for it is cancelled if no other
///   action needs it. Of a sleep that was cancelled, Swift's runtime keeps some 300 bytes until its
///   time.
/// - Ownership: retains an action until it has run, and itself while actions wait. An action of a
///   repetition is released with its cancellable.
/// - Cost: O(log n) for an action, where n actions wait. One task sleeps, for the earliest of them,
///   however many wait; an action that becomes the earliest starts another in its place. An
///   operator that takes a clock makes a scheduler of its own. If thousands of pipelines wait for
///   long times, pass one `clock.scheduler` to all of them: then one task sleeps for all.
///
/// A clock that a test moves by hand may do without tasks: the actions of a `TestScheduler` run on
/// the thread that advances it, before `advance(by:)` returns.
///
/// ```swift
/// import Fanout
///
/// let scheduler = ContinuousClock().scheduler
/// let steps = AsyncStream.makeStream(of: String.self)
/// let start = scheduler.now
/// scheduler.schedule(after: start.advanced(by: .milliseconds(1))) {
///   steps.continuation.yield("first")
///   scheduler.schedule(after: start.advanced(by: .milliseconds(2))) {
///     steps.continuation.yield("second")
///     steps.continuation.finish()
///   }
/// }
/// for await step in steps.stream { print(step) }
/// // Prints:
/// // first
/// // second
/// ```
public struct ClockScheduler<Base: Clock>: Scheduler, Sendable where Base.Duration == Duration {
  /// The options of an action, of which there are none.
  public enum SchedulerOptions: Sendable {}

  private enum Place: Sendable {
    case tasks(ClockRunner<Base>)
    case clock(any ActionClock<Base.Instant>)
  }

  /// The clock that measures the time.
  public let clock: Base
  private let place: Place

  /// Creates a scheduler on a clock.
  ///
  /// - Parameter clock: The clock.
  public init(_ clock: Base) {
    self.clock = clock
    if let clock = clock as? any ActionClock<Base.Instant> {
      place = .clock(clock)
    } else {
      place = .tasks(ClockRunner(clock))
    }
  }

  /// The current time of the clock.
  public var now: SchedulerTimeType { SchedulerTimeType(clock.now) }

  /// The minimum tolerance: zero, with which a clock is as exact as it can be.
  public var minimumTolerance: SchedulerTimeType.Stride { ClockInterval(.zero) }

  /// Runs an action at the next opportunity, asynchronously to the call.
  ///
  /// - Parameters:
  ///   - options: Always nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    _ = run(at: nil, action)
  }

  /// Runs an action at the specified time or up to `tolerance` after it.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action runs.
  ///   - tolerance: The allowed lateness.
  ///   - options: Always nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    _ = run(at: date.instant, tolerance: tolerance, action)
  }

  /// Runs an action repeatedly, until the result is cancelled or released.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs, more than 0. One of 0 or less traps.
  ///   - tolerance: The allowed lateness of each run.
  ///   - options: Always nil.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that stops the repetition when cancelled or released.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    trap(
      unless: interval > 0,
      "schedule(interval: \(interval)): runs would come without a pause; pass more than 0.")
    return AnyCancellable(run(at: date.instant, every: interval, tolerance: tolerance, action))
  }

  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    run(at: date.instant, tolerance: tolerance, action)
  }

  private func run(
    at instant: Base.Instant?, every interval: ClockInterval? = nil,
    tolerance: ClockInterval = 0, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    switch place {
    case .clock(let clock): return clock.run(at: instant, every: interval?.duration, action)
    case .tasks(let runner):
      let work = ClockWork(
        action, every: interval?.duration, tolerance: max(tolerance.duration, .zero))
      runner.add(work, at: instant)
      return ClockRevocation(work: work, runner: runner)
    }
  }
}

extension ClockScheduler {
  /// A time as the clock measures it.
  @frozen
  public struct SchedulerTimeType: Strideable, Hashable, Sendable, CustomStringConvertible {
    /// The same time as the clock's type.
    public let instant: Base.Instant

    /// Creates a time from the clock's type.
    ///
    /// - Parameter instant: The time.
    public init(_ instant: Base.Instant) { self.instant = instant }

    /// Returns the distance to another time.
    ///
    /// - Parameter other: The other time.
    /// - Returns: The distance, negative if the other time is earlier.
    public func distance(to other: Self) -> ClockInterval {
      ClockInterval(instant.duration(to: other.instant))
    }

    /// Returns the time at the specified distance from this one.
    ///
    /// - Parameter distance: The distance, which may be negative.
    /// - Returns: The time at that distance.
    public func advanced(by distance: ClockInterval) -> Self {
      Self(instant.advanced(by: distance.duration))
    }

    /// Returns whether the first time is earlier than the second.
    public static func < (left: Self, right: Self) -> Bool { left.instant < right.instant }

    /// The text of the clock's type.
    public var description: String { "\(instant)" }
  }
}

extension Clock where Duration == Swift.Duration {
  /// This clock as a scheduler, to pass to any API that takes one.
  ///
  /// Each call makes a scheduler of its own; see ``ClockScheduler`` for where its actions run.
  public var scheduler: ClockScheduler<Self> { ClockScheduler(self) }
}
