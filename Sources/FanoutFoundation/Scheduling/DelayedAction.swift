internal import FanoutCore
internal import FanoutEngine
internal import FanoutOperators
internal import Foundation

/// The actions that a scheduler runs later: a clock measures the time, and passes each action to
/// the scheduler when it is due.
///
/// A run loop has timers of its own. They are not used, because on Linux Foundation never releases
/// a timer nor what its closure captures.
struct DelayedAction: Sendable {
  let time: DateSchedulerTime
  let tolerance: DateSchedulerTime.Stride

  /// Passes an action to a scheduler once, unless the result is cancelled before.
  @discardableResult
  func run(
    _ action: @escaping @Sendable () -> Void,
    by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> (any Cancellable)? {
    clock._scheduleRevocably(after: due, tolerance: tolerance.dispatched, options: nil) {
      schedule(action)
    }
  }

  /// Passes an action to a scheduler again and again, until the result is cancelled or released.
  func repeatedlyRun(
    every interval: DateSchedulerTime.Stride, _ action: @escaping @Sendable () -> Void,
    by schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) -> AnyCancellable {
    let repeated = RepeatedAction(action)
    let clocked = clock.schedule(
      after: due, interval: interval.dispatched, tolerance: tolerance.dispatched, options: nil
    ) {
      if repeated.begins() { schedule { repeated.run() } }
    }
    let ticks = AnyCancellable(clocked)
    return AnyCancellable {
      ticks.cancel()
      repeated.stop()
    }
  }

  /// The scheduler that measures the time.
  private var clock: DispatchScheduler { DispatchScheduler(.global()) }

  private var due: DispatchScheduler.SchedulerTimeType {
    clock.now.advanced(by: max(DateSchedulerTime(Date()).distance(to: time), 0).dispatched)
  }
}

extension DateSchedulerTime.Stride {
  /// The same interval as Dispatch measures it.
  fileprivate var dispatched: DispatchScheduler.SchedulerTimeType.Stride { .seconds(timeInterval) }
}

/// An action that runs again and again, and waits for its turn at most once.
private final class RepeatedAction: Sendable {
  private struct State {
    var action: (@Sendable () -> Void)?
    var isWaiting = false
  }

  private let state: Lock<State>

  init(_ action: @escaping @Sendable () -> Void) { state = Lock(State(action: action)) }

  /// Returns whether the action is to be passed to its scheduler.
  func begins() -> Bool {
    state.withLock { state in
      guard state.action != nil, !state.isWaiting else { return false }
      state.isWaiting = true
      return true
    }
  }

  func run() {
    let action = state.withLock { state in
      state.isWaiting = false
      return state.action
    }
    action?()
  }

  func stop() {
    let action = state.withLock { state in
      defer { state.action = nil }
      return state.action
    }
    withExtendedLifetime(action) {}
  }
}
