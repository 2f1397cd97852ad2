public import FanoutCore

extension Scheduler {
  /// Runs an action at the next opportunity, without options.
  ///
  /// - Parameter action: The closure to run, once.
  @preconcurrency
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs an action at or after the specified time with the minimum tolerance, without options.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action runs.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action at or soon after the specified time, without options.
  ///
  /// - Parameters:
  ///   - date: The earliest time at which the action runs.
  ///   - tolerance: The allowed lateness.
  ///   - action: The closure to run, once.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action repeatedly with the minimum tolerance, without options.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that stops the repetition. Retain it to keep the repetition going.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action repeatedly, without options.
  ///
  /// - Parameters:
  ///   - date: The earliest time of the first run.
  ///   - interval: The time between two runs.
  ///   - tolerance: The allowed lateness of each run.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that stops the repetition. Retain it to keep the repetition going.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}
