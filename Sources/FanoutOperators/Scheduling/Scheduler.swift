public import FanoutCore

/// A context that runs closures, at once or later.
///
/// A scheduler decides where a closure runs, and how time is measured. Actions are user code: a
/// scheduler holds no lock while it runs or releases one. Names and meanings are Combine's.
///
/// To test code that takes a scheduler, give it the `TestScheduler` of `FanoutTestSupport`, whose
/// time moves only when the test advances it.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// func remind<Clock: Scheduler>(after delay: Clock.SchedulerTimeType.Stride, on clock: Clock) {
///   clock.schedule(after: clock.now.advanced(by: delay)) { print("time is up") }
/// }
///
/// let scheduler = TestScheduler()
/// remind(after: .seconds(60), on: scheduler)
/// scheduler.advance(by: .seconds(59))
/// print("not yet")
/// scheduler.advance(by: .seconds(1))
/// // Prints:
/// // not yet
/// // time is up
/// ```
public protocol Scheduler<SchedulerTimeType>: SendableMetatype {
  /// A time as this scheduler measures it.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// The options that this scheduler accepts for an action.
  associatedtype SchedulerOptions

  /// The current time.
  var now: SchedulerTimeType { get }

  /// The minimum tolerance that this scheduler can promise.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs an action at the next opportunity.
  ///
  /// - Parameters:
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs an action at or soon after the specified time.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action runs.
  ///   - tolerance: The allowed lateness.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs an action repeatedly.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - tolerance: The allowed lateness of each run.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that stops the repetition. Retain it: a scheduler may stop the
  ///   repetition when it is released.
  @preconcurrency
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable

  /// Runs an action at or soon after the specified time, unless the result is cancelled before,
  /// which releases the action.
  ///
  /// The result need not be retained. It is nil if this scheduler keeps the action until then, as
  /// one of a user's own does: Combine's protocol has only repetitions that can be cancelled.
  @_documentation(visibility: internal)
  func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)?
}

extension Scheduler {
  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    schedule(after: date, tolerance: tolerance, options: options, action)
    return nil
  }
}
