// `@unchecked Sendable` invariant: what it runs is handed to one scheduler, which runs it once. That
// what it uses may be used at that place is what its user chose with the scheduler.

/// What an operator has a scheduler run.
///
/// Publishers and subscribers need not be `Sendable`, while a scheduler's action is.
@usableFromInline
struct ScheduledWork: @unchecked Sendable {
  @usableFromInline let run: () -> Void

  @inlinable
  init(run: @escaping () -> Void) { self.run = run }
}

/// A scheduler, with what is to be said to it each time.
@usableFromInline
struct ScheduledPlace<Context: Scheduler> {
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
}

@available(*, unavailable)
extension ScheduledPlace: Sendable {}
