// `@unchecked Sendable` invariant: the list is reached under its lock.

#if FANOUT_EXPLORER
  import FanoutEngine
  import FanoutTestSupport
  import Fanout

  /// A scheduler whose actions any thread runs, also several at a time.
  final class ActionList: Scheduler, @unchecked Sendable {
    typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    private let actions = Lock<[@Sendable () -> Void]>([])

    var now: SchedulerTimeType { 0 }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
      actions.withLock { $0.append(action) }
    }

    func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
      _ action: @escaping @Sendable () -> Void
    ) { schedule(options: nil, action) }

    func schedule(
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable {} }

    /// Runs the oldest action; returns whether there was one.
    @discardableResult
    func run() -> Bool {
      let action = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      action?()
      return action != nil
    }
  }
#endif
