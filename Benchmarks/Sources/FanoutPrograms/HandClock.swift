// `@unchecked Sendable` invariant: a clock and its actions are used on one thread only.

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

/// A scheduler whose time moves when a program advances it, which then runs what is due.
final class HandClock: Scheduler, @unchecked Sendable {
  #if OVER_OPENCOMBINE
    typealias Work = () -> Void
  #else
    typealias Work = @Sendable () -> Void
  #endif
  typealias SchedulerOptions = Never
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  struct SchedulerTimeType: Strideable {
    var ticks = 0

    func distance(to other: Self) -> Stride { Stride(other.ticks - ticks) }

    func advanced(by distance: Stride) -> Self { Self(ticks: ticks + distance.magnitude) }
  }

  /// Something to do at a time, until it is cancelled.
  private final class Action: Cancellable, @unchecked Sendable {
    var due: Int
    let interval: Int?
    var work: Work?

    init(due: Int, interval: Int?, work: @escaping Work) {
      self.due = due
      self.interval = interval
      self.work = work
    }

    func cancel() { work = nil }
  }

  private(set) var now = SchedulerTimeType()
  private var actions: [Action] = []

  var minimumTolerance: Stride { 0 }

  func schedule(options: Never?, _ action: @escaping Work) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: Stride, options: Never?, _ action: @escaping Work
  ) {
    actions.append(Action(due: date.ticks, interval: nil, work: action))
  }

  func schedule(
    after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: Never?,
    _ action: @escaping Work
  ) -> any Cancellable {
    let repeated = Action(due: date.ticks, interval: interval.magnitude, work: action)
    actions.append(repeated)
    return repeated
  }

  /// Moves the time, and runs each action that is due by then, once.
  func advance(by ticks: Int) {
    now.ticks += ticks
    let known = actions
    actions.removeAll(keepingCapacity: true)
    for action in known {
      guard let work = action.work else { continue }
      guard action.due <= now.ticks else {
        actions.append(action)
        continue
      }
      work()
      guard let interval = action.interval, action.work != nil else { continue }
      action.due = now.ticks + interval
      actions.append(action)
    }
  }
}
