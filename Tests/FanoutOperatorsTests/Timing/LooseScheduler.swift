import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures

/// A scheduler whose clock a test sets, also back, and whose actions run when the test says so.
final class LooseScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private struct Planned: Sendable {
    let date: SchedulerTimeType?
    let run: @Sendable () -> Void
  }

  private let actions = Shared<[Planned]>([])
  private let clock = Shared<SchedulerTimeType>(0)
  private let next = Shared<(@Sendable () -> Void)?>(nil)

  /// The time, which the clock shows when it is asked next, and then for ever if nothing sets it.
  var now: SchedulerTimeType {
    let known = clock.value
    next.change { $0.take() }?()
    return known
  }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Sets the clock, and runs nothing.
  func set(_ time: SchedulerTimeType) { clock.value = time }

  /// Sets the clock, and runs the actions that are due.
  func run(at time: SchedulerTimeType) {
    set(time)
    while let action = takeNext(where: { $0.date.map { $0 <= time } ?? true }) { action.run() }
  }

  /// Runs the oldest action, whatever its date.
  func runOldest() { takeNext(where: { _ in true })?.run() }

  /// Runs a closure when the clock has been read for the next time, before the reader gets the time.
  func afterReading(_ action: @escaping @Sendable () -> Void) { next.value = action }

  private func takeNext(where isDue: (Planned) -> Bool) -> Planned? {
    actions.change { actions in actions.firstIndex(where: isDue).map { actions.remove(at: $0) } }
  }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    actions.change { $0.append(Planned(date: nil, run: action)) }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) { actions.change { $0.append(Planned(date: date, run: action)) } }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable { Subscriptions.empty }
}
