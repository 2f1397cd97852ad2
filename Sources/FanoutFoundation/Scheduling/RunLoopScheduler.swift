// `@unchecked Sendable` invariant: blocks are added to a run loop, and it is woken. Any thread may
// do both, which its type cannot state.

public import FanoutCore
public import FanoutOperators
public import Foundation

/// A run loop as a scheduler.
///
/// On platforms without Combine, a `RunLoop` is a `Scheduler` itself, and this type
/// is not needed.
///
/// Actions run on the thread that runs the loop, in the default mode, in the order in which they
/// were scheduled. If nothing runs the loop, no action runs: on Linux an `async` `main` runs the
/// main queue and not the main run loop, so use `DispatchQueue.main` there. On Linux the loop gets
/// a timer that wakes it and stays, so that `run()` does not return for lack of timers.
///
/// ```swift
/// import Fanout
/// import FanoutFoundation
/// import Foundation
///
/// let shown = (1...2).publisher.receive(on: RunLoopScheduler(.main)).sink { print($0) }
/// print("subscribed")
/// RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
/// shown.cancel()
/// // Prints:
/// // subscribed
/// // 1
/// // 2
/// ```
public struct RunLoopScheduler: Scheduler, @unchecked Sendable {
  /// A time as a run loop measures it.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for an action on a run loop: there are none.
  public struct SchedulerOptions: Sendable {
    /// Creates options.
    public init() {}
  }

  /// The run loop on which actions run.
  public let runLoop: RunLoop

  /// Creates a scheduler that runs actions on the specified run loop.
  ///
  /// - Parameter runLoop: The run loop.
  public init(_ runLoop: RunLoop) { self.runLoop = runLoop }

  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The minimum tolerance: zero, because the lateness of an action depends on the loop.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action on the run loop, asynchronously to the call.
  ///
  /// - Parameters:
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    runLoop.perform(inModes: [.default], block: action)
    #if canImport(Darwin)
      CFRunLoopWakeUp(runLoop.getCFRunLoop())
    #else
      RunLoopWaker.wake(runLoop)
    #endif
  }

  /// Runs an action on the run loop at or after the specified time.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action runs.
  ///   - tolerance: The allowed lateness.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    DelayedAction(time: date, tolerance: tolerance).run(action) { schedule(options: options, $0) }
  }

  /// Runs an action on the run loop repeatedly, until the result is cancelled or released.
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
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    DelayedAction(time: date, tolerance: tolerance).repeatedlyRun(every: interval, action) {
      schedule(options: options, $0)
    }
  }
}

extension RunLoopScheduler {
  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    DelayedAction(time: date, tolerance: tolerance).run(action) {
      schedule(options: options, $0)
    }
  }
}

#if !canImport(Combine)
  // On platforms with Combine, a run loop is a scheduler of Combine's, which uses these names.
  extension RunLoop: Scheduler {
    /// A time as a run loop measures it.
    public typealias SchedulerTimeType = RunLoopScheduler.SchedulerTimeType
    /// The options for an action on a run loop: there are none.
    public typealias SchedulerOptions = RunLoopScheduler.SchedulerOptions

    /// The current time.
    public var now: SchedulerTimeType { RunLoopScheduler(self).now }

    /// The minimum tolerance: zero, because the lateness of an action depends on the loop.
    public var minimumTolerance: SchedulerTimeType.Stride {
      RunLoopScheduler(self).minimumTolerance
    }

    /// Runs an action on the run loop, asynchronously to the call.
    ///
    /// - Parameters:
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
      RunLoopScheduler(self).schedule(options: options, action)
    }

    /// Runs an action on the run loop at or after the specified time.
    ///
    /// - Parameters:
    ///   - date: The earliest time at which the action runs.
    ///   - tolerance: The allowed lateness.
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    @preconcurrency
    public func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
      RunLoopScheduler(self).schedule(
        after: date, tolerance: tolerance, options: options, action)
    }

    /// Runs an action on the run loop repeatedly, until the result is cancelled or released.
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
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
      _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable {
      RunLoopScheduler(self).schedule(
        after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
  }

  extension RunLoop {
    /// Runs an action at or soon after the specified time, unless the result is cancelled before.
    @_documentation(visibility: internal)
    public func _scheduleRevocably(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> (any Cancellable)? {
      RunLoopScheduler(self)._scheduleRevocably(
        after: date, tolerance: tolerance, options: options, action)
    }
  }
#endif
