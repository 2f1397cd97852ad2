// `@unchecked Sendable` invariant: the subject is safe to use from any thread, and is known weakly.
// Times are the scheduler's type, and so user code: under the lock they are copied and swapped,
// never compared.

internal import FanoutCore
package import FanoutEngine
package import FanoutOperators

/// The length of the time without a subscriber, and the scheduler that measures it.
protocol GracePeriod {
  func makeTimer() -> ExpiryTimer
}

struct ScheduledGracePeriod<Context: Scheduler>: GracePeriod {
  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func makeTimer() -> ExpiryTimer { ScheduledTimer(on: scheduler, interval) }
}

/// A timer for which at most one action is scheduled, however often its time begins anew.
///
/// An action that finds that the time has begun anew since schedules the next one. A timer that is
/// released takes its action back, unless the scheduler is one of a user's own, which keeps the
/// action until its time.
package final class ScheduledTimer<Context: Scheduler>: ExpiryTimer, Expiration {
  private typealias Time = Context.SchedulerTimeType

  private struct State {
    /// The epoch in which the time began last.
    var epoch = 0
    var deadline: Time?
    /// The epoch for whose deadline an action is scheduled, if one is.
    var scheduledEpoch: Int?
    /// The cancellable that takes that action back, if the scheduler has one.
    var revocation: (any Cancellable)?
  }

  package let scheduler: Context
  private let interval: Time.Stride
  private let state = Lock(State())

  // The scheduler comes first, so that a closure that makes a timer captures it first: of what it
  // captures, a graph shows what lies in front of a type that reflection cannot resolve.
  init(on scheduler: Context, _ interval: Context.SchedulerTimeType.Stride) {
    self.interval = interval
    self.scheduler = scheduler
    super.init()
  }

  deinit { state.withLock { $0.revocation }?.cancel() }

  package override func begin(_ epoch: Int, for subject: any Expiring) {
    let deadline = scheduler.now.advanced(by: interval)
    var displaced: Time? = deadline
    let isScheduled = state.withLock { state in
      guard epoch > state.epoch else { return true }
      state.epoch = epoch
      swap(&state.deadline, &displaced)
      if state.scheduledEpoch != nil { return true }
      state.scheduledEpoch = epoch
      return false
    }
    if !isScheduled { schedule(at: deadline, epoch, for: subject) }
  }

  fileprivate func fire(for subject: any Expiring) {
    var revocation: (any Cancellable)?
    let (epoch, next) = state.withLock { state -> (Int, Time?) in
      swap(&state.revocation, &revocation)
      // The clock is not asked whether the time is over: a scheduler may be early.
      guard let scheduled = state.scheduledEpoch, scheduled < state.epoch else {
        state.scheduledEpoch = nil
        return (state.epoch, nil)
      }
      state.scheduledEpoch = state.epoch
      return (state.epoch, state.deadline)
    }
    withExtendedLifetime(revocation) {}
    if let next { schedule(at: next, epoch, for: subject) } else { subject.expire(epoch) }
  }

  private func schedule(at time: Time, _ epoch: Int, for subject: any Expiring) {
    let firing = Firing(subject: subject, timer: self)
    var revocation = scheduler._scheduleRevocably(
      after: time, tolerance: scheduler.minimumTolerance, options: nil
    ) { firing.fire() }
    state.withLock { state in
      // The action may have run meanwhile.
      if state.scheduledEpoch == epoch { swap(&state.revocation, &revocation) }
    }
    withExtendedLifetime(revocation) {}
  }
}

/// A timer whose time is over.
private protocol Expiration: AnyObject {
  func fire(for subject: any Expiring)
}

/// The action that is scheduled, which retains nothing of a shared publisher.
private struct Firing: @unchecked Sendable {
  private(set) weak var subject: (any Expiring)?
  private(set) weak var timer: (any Expiration)?

  func fire() {
    guard let subject else { return }
    timer?.fire(for: subject)
  }
}
