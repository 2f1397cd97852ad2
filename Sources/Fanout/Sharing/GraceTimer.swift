// `@unchecked Sendable` invariant: the counter is safe to use from any thread, and is known weakly.
// Times are the scheduler's type, and so user code: under the lock they are copied and swapped, never compared.

internal import FanoutEngine
package import FanoutOperators

/// The length of the time without a subscriber, and the scheduler that measures it.
protocol GracePeriod {
  func makeTimer() -> GraceTimer
}

struct ScheduledGracePeriod<Context: Scheduler>: GracePeriod {
  let interval: Context.SchedulerTimeType.Stride
  let scheduler: Context

  func makeTimer() -> GraceTimer { ScheduledGraceTimer(interval, on: scheduler) }
}

/// The time without a subscriber after which a connection closes.
package class GraceTimer {
  init() { noteCreation(of: self, isPart: true) }

  /// Begins the time anew, from now on.
  ///
  /// - Parameters:
  ///   - epoch: The epoch of the counter. That of a later call is greater, but calls may overtake each other.
  ///   - counter: The counter to tell when the time is over.
  func begin(_ epoch: Int, for counter: LingeringCounter) {}

  fileprivate func fire(for counter: LingeringCounter) {}
}

/// A grace timer for which at most one action is scheduled, however often subscribers come and go.
///
/// An action that finds that the time has begun anew since schedules the next one.
package final class ScheduledGraceTimer<Context: Scheduler>: GraceTimer {
  private typealias Time = Context.SchedulerTimeType

  private struct State {
    /// The epoch in which the time began last.
    var epoch = 0
    var deadline: Time?
    /// The epoch for whose deadline an action is scheduled, if one is.
    var scheduledEpoch: Int?
  }

  package let scheduler: Context
  private let interval: Time.Stride
  private let state = Lock(State())

  init(_ interval: Context.SchedulerTimeType.Stride, on scheduler: Context) {
    self.interval = interval
    self.scheduler = scheduler
  }

  override func begin(_ epoch: Int, for counter: LingeringCounter) {
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
    if !isScheduled { schedule(at: deadline, for: counter) }
  }

  override func fire(for counter: LingeringCounter) {
    let (epoch, next) = state.withLock { state -> (Int, Time?) in
      // The clock is not asked whether the time is over: a scheduler may be early.
      guard let scheduled = state.scheduledEpoch, scheduled < state.epoch else {
        state.scheduledEpoch = nil
        return (state.epoch, nil)
      }
      state.scheduledEpoch = state.epoch
      return (state.epoch, state.deadline)
    }
    if let next { schedule(at: next, for: counter) } else { counter.expire(epoch) }
  }

  private func schedule(at time: Time, for counter: LingeringCounter) {
    let firing = Firing(counter: counter)
    scheduler.schedule(after: time, tolerance: scheduler.minimumTolerance, options: nil) {
      firing.fire()
    }
  }
}

/// The action that is scheduled, which retains nothing of a shared publisher.
private struct Firing: @unchecked Sendable {
  private(set) weak var counter: LingeringCounter?

  func fire() {
    guard let counter else { return }
    counter.timer?.fire(for: counter)
  }
}

@available(*, unavailable)
extension GraceTimer: Sendable {}
