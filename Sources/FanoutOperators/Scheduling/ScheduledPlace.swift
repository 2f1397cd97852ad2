// `@unchecked Sendable` invariant: the work goes to one scheduler, which runs it once. Each
// operator demands in its constraints that its values, or its publisher, may be used there.

public import FanoutCore
internal import FanoutEngine

/// A source that delivers in an action of a scheduler.
@usableFromInline
package protocol ActingSource: AnyObject {
  /// Delivers what waits; called once for each action that is scheduled.
  func act()
}

/// The work that an operator schedules.
///
/// Publishers and subscribers need not be `Sendable`, while a scheduler's action is. A source is
/// passed itself: a closure that calls it would be allocated for each action, besides that of the
/// scheduler.
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
/// The function is formed where the type is known, so that it is specialised although the operators
/// are not.
package struct ScheduledPlace {
  /// Schedules an action at the next opportunity.
  package let schedule: (ScheduledWork) -> Void
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
    let place = PlaceParts((scheduler, options, tolerance))
    self.init(
      schedule: { work in
        place.parts.scheduler.schedule(options: place.parts.options) { work.run() }
      }, now: { place.parts.scheduler.now }
    ) { date, action in
      let (scheduler, options, tolerance) = place.parts
      return scheduler._scheduleRevocably(
        after: date, tolerance: tolerance ?? scheduler.minimumTolerance, options: options, action)
    }
  }

  @usableFromInline
  init(
    schedule: @escaping (ScheduledWork) -> Void, now: @escaping () -> Time,
    scheduleAfter: @escaping (Time, @escaping @Sendable () -> Void) -> (any Cancellable)?
  ) {
    place = ScheduledPlace(schedule: schedule)
    (self.now, self.scheduleAfter) = (now, scheduleAfter)
  }
}

/// A scheduler with its options and a tolerance: the only thing that the three functions capture,
/// and so their context.
@_fixed_layout @usableFromInline
package final class PlaceParts<Context: Scheduler> {
  @usableFromInline let parts:
    (
      scheduler: Context, options: Context.SchedulerOptions?,
      tolerance: Context.SchedulerTimeType.Stride?
    )

  @usableFromInline
  init(
    _ parts: (
      scheduler: Context, options: Context.SchedulerOptions?,
      tolerance: Context.SchedulerTimeType.Stride?
    )
  ) {
    self.parts = parts
    noteCreation(of: self, isPart: true)
  }
}
