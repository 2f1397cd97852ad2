public import FanoutCore
public import FanoutOperators
public import Foundation

/// An operation queue as a scheduler.
///
/// On platforms without Combine, an `OperationQueue` is a `Scheduler` itself, and
/// this type is not needed.
///
/// Every action is an operation. The queue decides when it runs, and how many run at once.
///
/// ```swift
/// import Fanout
/// import FanoutFoundation
/// import Foundation
///
/// let queue = OperationQueue()
/// queue.isSuspended = true
/// let shown = (1...2).publisher.receive(on: OperationQueueScheduler(queue)).sink { print($0) }
/// print("subscribed")
/// queue.isSuspended = false
/// queue.waitUntilAllOperationsAreFinished()
/// shown.cancel()
/// // Prints:
/// // subscribed
/// // 1
/// // 2
/// ```
public struct OperationQueueScheduler: Scheduler, Sendable {
  /// A time as an operation queue measures it.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for an action on an operation queue: there are none.
  public struct SchedulerOptions: Sendable {
    /// Creates options.
    public init() {}
  }

  /// The queue on which actions run.
  public let queue: OperationQueue

  /// Creates a scheduler that runs actions on the specified queue.
  ///
  /// - Parameter queue: The queue, serial or concurrent.
  public init(_ queue: OperationQueue) { self.queue = queue }

  /// The current time.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The minimum tolerance: zero, because the lateness of an action depends on the queue.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action on the queue, asynchronously to the call.
  ///
  /// - Parameters:
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    queue.addOperation(action)
  }

  /// Runs an action on the queue at or after the specified time.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action becomes an operation of the queue.
  ///   - tolerance: The allowed lateness.
  ///   - options: The options for the action, or nil.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    DelayedAction(time: date, tolerance: tolerance).run(action) { [queue] in
      queue.addOperation($0)
    }
  }

  /// Runs an action on the queue repeatedly, until the result is cancelled or released.
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
      [queue] in queue.addOperation($0)
    }
  }
}

extension OperationQueueScheduler {
  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    DelayedAction(time: date, tolerance: tolerance).run(action) { [queue] in
      queue.addOperation($0)
    }
  }
}

#if !canImport(Combine)
  // On platforms with Combine, a queue is a scheduler of Combine's, which uses these names.
  extension OperationQueue: Scheduler {
    /// A time as an operation queue measures it.
    public typealias SchedulerTimeType = OperationQueueScheduler.SchedulerTimeType
    /// The options for an action on an operation queue: there are none.
    public typealias SchedulerOptions = OperationQueueScheduler.SchedulerOptions

    /// The current time.
    public var now: SchedulerTimeType { OperationQueueScheduler(self).now }

    /// The minimum tolerance: zero, because the lateness of an action depends on the queue.
    public var minimumTolerance: SchedulerTimeType.Stride {
      OperationQueueScheduler(self).minimumTolerance
    }

    /// Runs an action on the queue, asynchronously to the call.
    ///
    /// - Parameters:
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
      OperationQueueScheduler(self).schedule(options: options, action)
    }

    /// Runs an action on the queue at or after the specified time.
    ///
    /// - Parameters:
    ///   - date: The earliest time at which the action becomes an operation of the queue.
    ///   - tolerance: The allowed lateness.
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    @preconcurrency
    public func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) {
      OperationQueueScheduler(self).schedule(
        after: date, tolerance: tolerance, options: options, action)
    }

    /// Runs an action on the queue repeatedly, until the result is cancelled or released.
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
      OperationQueueScheduler(self).schedule(
        after: date, interval: interval, tolerance: tolerance, options: options, action)
    }
  }

  extension OperationQueue {
    /// Runs an action at or soon after the specified time, unless the result is cancelled before.
    @_documentation(visibility: internal)
    public func _scheduleRevocably(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> (any Cancellable)? {
      OperationQueueScheduler(self)._scheduleRevocably(
        after: date, tolerance: tolerance, options: options, action)
    }
  }
#endif
