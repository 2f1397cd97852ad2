// `@unchecked Sendable` invariant: the closure goes to one scheduler, which runs it once. By
// choosing that scheduler, the user has decided that everything the closure uses may be used there.

public import FanoutCore

/// The work that an operator schedules.
///
/// Publishers and subscribers need not be `Sendable`, while a scheduler's action is.
@usableFromInline
struct ScheduledWork: @unchecked Sendable {
  @usableFromInline let run: () -> Void

  @inlinable
  init(run: @escaping () -> Void) { self.run = run }
}

/// A scheduler together with the options passed with every action.
@usableFromInline
package struct ScheduledPlace<Context: Scheduler> {
  @usableFromInline let scheduler: Context
  @usableFromInline let options: Context.SchedulerOptions?

  @usableFromInline
  init(_ scheduler: Context, _ options: Context.SchedulerOptions?) {
    self.scheduler = scheduler
    self.options = options
  }

  @inlinable
  func schedule(_ run: @escaping () -> Void) {
    let work = ScheduledWork(run: run)
    scheduler.schedule(options: options) { work.run() }
  }

  /// Schedules work for a date, as exactly as the scheduler can.
  ///
  /// Returns what takes the work back, or nil if the scheduler keeps it until its date.
  @inlinable
  func schedule(
    after date: Context.SchedulerTimeType, tolerance: Context.SchedulerTimeType.Stride? = nil,
    _ run: @escaping () -> Void
  ) -> (any Cancellable)? {
    let work = ScheduledWork(run: run)
    let tolerance = tolerance ?? scheduler.minimumTolerance
    if let scheduler = scheduler
      as? any RevocableScheduler<Context.SchedulerTimeType, Context.SchedulerOptions>
    {
      return scheduler.scheduleRevocably(after: date, tolerance: tolerance, options: options) {
        work.run()
      }
    }
    scheduler.schedule(after: date, tolerance: tolerance, options: options) { work.run() }
    return nil
  }
}

/// A scheduler that can take an action back before its date, as the package's own can.
///
/// `Scheduler` has only repetitions that can be cancelled, as in Combine. A scheduler of a user's own keeps an
/// action until its date.
@usableFromInline
package protocol RevocableScheduler<SchedulerTimeType, SchedulerOptions>: Scheduler {
  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  ///
  /// A cancel releases the action. The result need not be retained.
  func scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

@available(*, unavailable)
extension ScheduledPlace: Sendable {}
