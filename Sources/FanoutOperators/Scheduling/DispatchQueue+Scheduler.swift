public import FanoutCore

#if canImport(Dispatch)
  // Dispatch does not declare all its types `Sendable`.
  @preconcurrency public import Dispatch

  #if !canImport(Combine)
    // On platforms with Combine, a queue is a scheduler of Combine's.
    extension DispatchQueue: _QueueScheduler {
      /// The queue itself.
      public var _queue: DispatchQueue { self }
    }
  #endif

  /// A queue as a scheduler.
  ///
  /// On platforms without Combine, a `DispatchQueue` is a ``Scheduler`` itself, and this type is
  /// not needed.
  ///
  /// ```swift
  /// import Dispatch
  /// import Fanout
  ///
  /// let queue = DispatchQueue(label: "shows")
  /// queue.suspend()
  /// let shown = (1...3).publisher.receive(on: DispatchScheduler(queue)).sink { print($0) }
  /// print("subscribed")
  /// queue.resume()
  /// queue.sync {}
  /// shown.cancel()
  /// // Prints:
  /// // subscribed
  /// // 1
  /// // 2
  /// // 3
  /// ```
  public struct DispatchScheduler: _QueueScheduler, Sendable {
    /// The queue on which actions run.
    public let queue: DispatchQueue

    /// Creates a scheduler that runs actions on the specified queue.
    ///
    /// - Parameter queue: The queue, serial or concurrent.
    public init(_ queue: DispatchQueue) { self.queue = queue }

    /// The queue on which actions run.
    public var _queue: DispatchQueue { queue }
  }

  /// A scheduler whose actions run on a queue: ``DispatchScheduler`` and, where that is a
  /// scheduler, a queue itself.
  @_documentation(visibility: internal)
  public protocol _QueueScheduler: Scheduler
  where
    SchedulerTimeType == DispatchScheduler.SchedulerTimeType,
    SchedulerOptions == DispatchScheduler.SchedulerOptions
  {
    /// The queue on which actions run.
    var _queue: DispatchQueue { get }
  }

  /// A timer that has not run.
  private struct Revocation: Cancellable {
    let timer: any DispatchSourceTimer

    func cancel() { timer.cancel() }
  }

  extension Scheduler where Self: _QueueScheduler {
    /// The current time.
    public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

    /// The minimum tolerance: zero, because the lateness of an action depends on the queue.
    public var minimumTolerance: SchedulerTimeType.Stride { .nanoseconds(0) }

    /// Runs an action on the queue, asynchronously to the call.
    ///
    /// - Parameters:
    ///   - options: The options for the action, or nil.
    ///   - action: The closure to run, once.
    @preconcurrency
    public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
      let options = options ?? DispatchScheduler.SchedulerOptions()
      _queue.async(
        group: options.group, qos: options.qos, flags: options.flags, execute: action)
    }

    /// Runs an action on the queue at the specified time or up to `tolerance` after it.
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
      let options = options ?? DispatchScheduler.SchedulerOptions()
      guard tolerance > minimumTolerance else {
        options.group?.enter()
        return _queue.asyncAfter(
          deadline: date.dispatchTime, qos: options.qos, flags: options.flags
        ) {
          action()
          options.group?.leave()
        }
      }
      _ = _scheduleRevocably(after: date, tolerance: tolerance, options: options, action)
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
      let options = options ?? DispatchScheduler.SchedulerOptions()
      let timer = DispatchSource.makeTimerSource(queue: _queue)
      timer.setEventHandler(qos: options.qos, flags: options.flags, handler: action)
      timer.schedule(
        deadline: date.dispatchTime, repeating: interval.timeInterval,
        leeway: tolerance.timeInterval)
      timer.activate()
      return AnyCancellable { timer.cancel() }
    }

    /// Runs an action at or soon after the specified time, unless the result is cancelled before.
    @_documentation(visibility: internal)
    public func _scheduleRevocably(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
      options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
    ) -> (any Cancellable)? {
      let options = options ?? DispatchScheduler.SchedulerOptions()
      let timer = DispatchSource.makeTimerSource(queue: _queue)
      options.group?.enter()
      // The timer retains itself until it has run, or is cancelled.
      timer.setEventHandler(qos: options.qos, flags: options.flags) {
        action()
        timer.cancel()
      }
      timer.setCancelHandler { options.group?.leave() }
      timer.schedule(deadline: date.dispatchTime, leeway: tolerance.timeInterval)
      timer.activate()
      return Revocation(timer: timer)
    }
  }
#endif
