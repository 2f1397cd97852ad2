// `@unchecked Sendable` invariant: the closure, or the call, goes to one scheduler, which runs it once. Each operator
// demands in its constraints that its values, or its publisher, may be used there.

public import FanoutCore

/// The work that an operator schedules.
///
/// Publishers and subscribers need not be `Sendable`, while a scheduler's action is.
@frozen @usableFromInline
struct ScheduledWork: @unchecked Sendable {
  @usableFromInline let run: () -> Void

  @inlinable
  init(run: @escaping () -> Void) { self.run = run }
}

/// A call that an operator schedules, in one allocation: a closure within a closure takes two.
@frozen @usableFromInline
struct ScheduledCall<Base>: @unchecked Sendable {
  @usableFromInline let base: Base
  @usableFromInline let run: (Base) -> Void

  @inlinable
  init(_ base: Base, run: @escaping (Base) -> Void) { (self.base, self.run) = (base, run) }
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

  @inlinable
  func schedule<Base>(for base: Base, _ run: @escaping (Base) -> Void) {
    let call = ScheduledCall(base, run: run)
    scheduler.schedule(options: options) { call.run(call.base) }
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
    return scheduler._scheduleRevocably(
      after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options
    ) { work.run() }
  }
}

@available(*, unavailable)
extension ScheduledPlace: Sendable {}
