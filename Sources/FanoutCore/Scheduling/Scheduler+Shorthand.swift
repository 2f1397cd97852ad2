extension Scheduler {
  /// Runs an action at the next opportunity, without options.
  ///
  /// - Parameter action: What is run, once.
  @inlinable
  @preconcurrency
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs an action at some moment or as soon after it as can be promised, without options.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run.
  ///   - action: What is run, once.
  @inlinable
  @preconcurrency
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action at some moment or soon after it, without options.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run.
  ///   - tolerance: How much later it may be.
  ///   - action: What is run, once.
  @inlinable
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Runs an action again and again, as punctually as can be promised and without options.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run for the first time.
  ///   - interval: The time between two runs.
  ///   - action: What is run.
  /// - Returns: What stops the repetition. It is to be kept.
  @inlinable
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs an action again and again, without options.
  ///
  /// - Parameters:
  ///   - date: The moment before which it does not run for the first time.
  ///   - interval: The time between two runs.
  ///   - tolerance: How much later each may be.
  ///   - action: What is run.
  /// - Returns: What stops the repetition. It is to be kept.
  @inlinable
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}
