/// Something that runs closures, at once or later, at a place of its own.
///
/// A scheduler decides where a closure runs, and what time is. Actions are user code: a scheduler
/// holds no lock while it runs or releases one. Names and meanings are Combine's.
///
/// To test code that takes a scheduler, give it the `TestScheduler` of `FanoutTestSupport`, whose
/// time moves only when it is told to.
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
public protocol Scheduler<SchedulerTimeType> {
  /// A moment, as this scheduler counts time.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible

  /// What else can be said about how an action is to run.
  associatedtype SchedulerOptions

  /// This moment.
  var now: SchedulerTimeType { get }

  /// The least lateness that can be promised.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs an action at the next opportunity.
  ///
  /// - Parameters:
  ///   - options: How it is to run, or nil.
  ///   - action: What is run, once.
  @preconcurrency
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs an action at some moment, or soon after it.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run.
  ///   - tolerance: How much later it may be.
  ///   - options: How it is to run, or nil.
  ///   - action: What is run, once.
  @preconcurrency
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)

  /// Runs an action again and again.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run for the first time.
  ///   - interval: The time between two runs.
  ///   - tolerance: How much later each may be.
  ///   - options: How it is to run, or nil.
  ///   - action: What is run.
  /// - Returns: What stops the repetition. It is to be kept: a scheduler may stop it when this is
  ///   dropped.
  @preconcurrency
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable
}
