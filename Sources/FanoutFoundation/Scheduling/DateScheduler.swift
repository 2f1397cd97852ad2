public import FanoutCore
public import FanoutOperators
internal import Foundation

/// A scheduler whose time is a date: ``OperationQueueScheduler``, ``RunLoopScheduler`` and, where
/// these are schedulers, an operation queue and a run loop themselves.
@_documentation(visibility: internal)
public protocol _DateScheduler: Scheduler where SchedulerTimeType == DateSchedulerTime {
  /// The closure that adds an action to the queue or the loop.
  var _perform: @Sendable (_ action: @escaping @Sendable () -> Void) -> Void { get }
}

extension Scheduler where Self: _DateScheduler {
  /// The current time.
  public var now: DateSchedulerTime { DateSchedulerTime(Date()) }

  /// The minimum tolerance: zero, because the lateness of an action depends on the queue or loop.
  public var minimumTolerance: DateSchedulerTime.Stride { 0 }

  /// Runs an action on the queue or the loop, asynchronously to the call.
  ///
  /// - Parameters:
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    _perform(action)
  }

  /// Runs an action on the queue or the loop at or after the specified time.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action is added to the queue or the loop.
  ///   - tolerance: The allowed lateness.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: DateSchedulerTime, tolerance: DateSchedulerTime.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    DelayedAction(time: date, tolerance: tolerance).run(action, by: _perform)
  }

  /// Runs an action on the queue or the loop repeatedly, until the result is cancelled or released.
  ///
  /// While a run waits for its turn, no further one is added.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - tolerance: The allowed lateness of each run.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that stops the repetition when cancelled or released.
  @preconcurrency
  public func schedule(
    after date: DateSchedulerTime, interval: DateSchedulerTime.Stride,
    tolerance: DateSchedulerTime.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    DelayedAction(time: date, tolerance: tolerance)
      .repeatedlyRun(every: interval, action, by: _perform)
  }

  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: DateSchedulerTime, tolerance: DateSchedulerTime.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    DelayedAction(time: date, tolerance: tolerance).run(action, by: _perform)
  }
}
