internal import FanoutCore
package import FanoutEngine

/// A source whose requests and cancel run on a scheduler.
package final class ScheduledSource<Context: Scheduler>: DeliverySource {
  package let base: DeliverySource
  package let scheduler: Context
  let options: Context.SchedulerOptions?

  init(_ base: DeliverySource, _ scheduler: Context, _ options: Context.SchedulerOptions?) {
    self.base = base
    self.scheduler = scheduler
    self.options = options
    super.init()
  }

  private func schedule(_ work: @escaping () -> Void) {
    let work = ScheduledWork.other(work)
    scheduler.schedule(options: options) { work.run() }
  }

  package override func request(_ credit: Credit) {
    // A source that is released before the scheduler runs the action receives no request any more.
    schedule { [weak self] in self?.base.request(credit) }
  }

  package override func disallowDrops() -> Bool { base.disallowDrops() }

  package override func cancel(thenRelease receiver: ChainNode?) {
    schedule { [base] in base.cancel() }
    receiver?._sourceDidQuiesce()
  }
}
