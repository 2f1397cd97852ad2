// `@unchecked Sendable` invariant: the work goes to one scheduler, which runs it once. Each operator demands in its
// constraints that its values, or its publisher, may be used there.

public import FanoutCore

/// A source that delivers in an action of a scheduler.
@usableFromInline
package protocol ActingSource: AnyObject {
  /// Delivers what waits; called once for each action that is scheduled.
  func act()
}

/// The work that an operator schedules.
///
/// Publishers and subscribers need not be `Sendable`, while a scheduler's action is. A source is passed itself: a
/// closure that calls it would be allocated for each action, besides that of the scheduler.
@usableFromInline
package enum ScheduledWork: @unchecked Sendable {
  case delivery(any ActingSource)
  case other(() -> Void)

  @usableFromInline
  func run() {
    switch self {
    case .delivery(let source): source.act()
    case .other(let work): work()
    }
  }
}

/// A scheduler together with the options passed with every action, without its type.
///
/// The function is formed where the type is known, so that it is specialised although the operators are not.
@frozen @usableFromInline
package struct ScheduledPlace {
  /// Schedules an action at the next opportunity.
  @usableFromInline package let schedule: (ScheduledWork) -> Void

  @inlinable
  init<Context: Scheduler>(_ scheduler: Context, _ options: Context.SchedulerOptions?) {
    schedule = { work in scheduler.schedule(options: options) { work.run() } }
  }
}

/// A scheduler as the operators with a timer use it besides, without its type.
@usableFromInline
package struct TimedPlace<Time: Strideable> {
  package typealias ScheduleAfter = (Time, @escaping @Sendable () -> Void) -> (
    any Cancellable
  )?

  let place: ScheduledPlace
  /// Returns the current time.
  let now: () -> Time
  /// Schedules an action for a date.
  ///
  /// Returns what takes the action back, or nil if the scheduler keeps it until its date.
  let scheduleAfter: ScheduleAfter

  /// Creates the functions of a scheduler.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler.
  ///   - options: The options passed with every action, or nil.
  ///   - tolerance: The allowed lateness, or nil for the least that the scheduler can promise.
  @inlinable
  init<Context: Scheduler>(
    _ scheduler: Context, _ options: Context.SchedulerOptions?, tolerance: Time.Stride? = nil
  ) where Context.SchedulerTimeType == Time {
    self.init(ScheduledPlace(scheduler, options), now: { scheduler.now }) { date, action in
      scheduler._scheduleRevocably(
        after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options, action)
    }
  }

  @usableFromInline
  init(
    _ place: ScheduledPlace, now: @escaping () -> Time,
    scheduleAfter: @escaping (Time, @escaping @Sendable () -> Void) -> (any Cancellable)?
  ) {
    (self.place, self.now, self.scheduleAfter) = (place, now, scheduleAfter)
  }
}

@available(*, unavailable)
extension ScheduledPlace: Sendable {}

@available(*, unavailable)
extension TimedPlace: Sendable {}
