public import Fanout
internal import FanoutEngine
internal import FanoutOperators

/// A scheduler, and a clock, whose time moves only when a test advances it.
///
/// Time is counted in ticks from zero; a tick stands for a millisecond. A scheduled action waits
/// until ``advance(by:)``, ``advance(to:)`` or ``run(atMost:)`` reaches its moment. Nothing sleeps:
/// an hour passes as fast as its actions run. Actions run in order of their moments, and actions of
/// one moment in the order in which they were scheduled. An action scheduled for the past, or
/// without a moment, is due now.
///
/// It is a `Clock` too, so one hand drives operators and tasks: a task that sleeps on it wakes when
/// its moment comes, in the same order as the actions. See ``sleep(until:tolerance:)``. Operators
/// that take a clock give it their actions, so that `debounce(for: .seconds(1), clock: scheduler)`
/// delivers before `advance(by:)` returns.
///
/// - Concurrency: every member may be used from any thread. Actions run on the thread that
///   advances, one after another, with no lock held. An action may schedule more actions, which
///   still run if they are due. Advancing inside an action, or while another thread advances, only
///   moves the goal of the running advance, and returns at once.
/// - Cancel: a repetition ends when the cancellable returned for it is cancelled or released; its
///   action is released at once.
/// - Ownership: retains an action until it has run, or forever if time never reaches it. A task
///   that sleeps retains the scheduler.
/// - Cost: O(log n) for an action, O(n) for a cancellation, where n actions wait.
///
/// The idea of time that is moved by hand comes from Rx's `TestScheduler`, and from the library
/// combine-schedulers.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let scheduler = TestScheduler()
/// let ticking = scheduler.schedule(after: 2, interval: 3) { print("tick at", scheduler.now) }
/// scheduler.schedule { print("as soon as possible, at", scheduler.now) }
/// scheduler.advance(by: 6)
/// ticking.cancel()
/// scheduler.advance(by: 6)
/// print("now it is", scheduler.now)
/// // Prints:
/// // as soon as possible, at 0
/// // tick at 2
/// // tick at 5
/// // now it is 12
/// ```
public final class TestScheduler: Scheduler, ActionClock, Sendable {
  /// The scheduler's options, of which there are none.
  public enum SchedulerOptions: Sendable {}

  /// The goal of the running advance.
  struct Goal {
    var time: SchedulerTimeType
    var isEverything = false
  }

  private enum Step {
    case item(Item)
    case reached
    case tooMuch
  }

  /// A wrapped action, because generic code wraps a bare closure anew each time it passes it on.
  struct Action {
    let run: @Sendable () -> Void
  }

  /// An action or a task that waits for a moment.
  enum Item {
    case action(Action, every: SchedulerTimeType.Stride?)
    case sleeper(Wait)
  }

  // Its lock is held while the agenda changes, so no item is released there.
  struct State {
    var now: SchedulerTimeType = 0
    var agenda = Agenda<SchedulerTimeType, Item>()
    /// The number of tasks that sleep, and the waits for a number of them.
    var sleepers = 0
    var waiting: [(count: Int, wait: Wait)] = []
    // Not nil while a thread advances.
    var goal: Goal?
  }

  let state = Lock(State())

  /// Makes a scheduler at tick zero.
  public init() {}

  /// The moment that time has reached.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// The minimum tolerance: zero, because nothing is ever late.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// The number of pending actions, each repetition counted once, and of sleeping tasks.
  public var scheduledCount: Int { state.withLock { $0.agenda.count } }

  /// Advances time by a number of ticks and runs the actions that become due.
  ///
  /// The method does not return if an action schedules itself again without letting time pass.
  ///
  /// - Parameter distance: The number of ticks, zero or more; zero runs the actions due now. Traps
  ///   if it is negative.
  public func advance(by distance: SchedulerTimeType.Stride) {
    guard distance >= 0 else {
      Self.refuse("advance(by: \(distance)) would go back in time; pass 0 or more.")
    }
    if begin({ $0.advanced(by: distance) }) { work() }
  }

  /// Advances time to a moment and runs the actions that become due.
  ///
  /// - Parameter time: The moment; traps if it is earlier than ``now``.
  public func advance(to time: SchedulerTimeType) {
    let now = now
    guard time >= now else {
      Self.refuse("advance(to: \(time)) would go back from \(now); pass that or a later time.")
    }
    if begin({ _ in time }) { work() }
  }

  /// Runs every scheduled action and advances time to the last of them.
  ///
  /// Actions that are scheduled meanwhile run too. Inside an action, or while another thread
  /// advances, the method only makes that advance run everything, and then there is no limit.
  ///
  /// - Parameter limit: The greatest number of actions to run. Further actions stay scheduled.
  /// - Throws: ``EndlessRun``, if more actions remain at the limit.
  public func run(atMost limit: Int = 100_000) throws {
    if begin(isEverything: true, { $0 }), !work(atMost: limit) {
      throw EndlessRun(actions: limit, time: now)
    }
  }

  /// Schedules an action for now; it runs at the next advance, even one by zero.
  @preconcurrency
  public func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    add(at: nil, action)
  }

  /// Schedules an action for a moment.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    add(at: date, action)
  }

  /// Schedules an action for a moment and every `interval` after it; traps if the interval is not
  /// positive.
  ///
  /// The action stops when the returned cancellable is cancelled or released.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard interval > 0 else {
      Self.refuse("an interval of \(interval) ticks would never end; pass 1 or more.")
    }
    let identity = add(at: date, every: interval, action)
    return AnyCancellable { [weak self] in self?.remove(identity) }
  }

  @discardableResult
  func add(
    at time: SchedulerTimeType?, every interval: SchedulerTimeType.Stride? = nil,
    _ action: @escaping @Sendable () -> Void
  ) -> Int {
    let item = Item.action(Action(run: action), every: interval)
    return state.withLock { state in
      state.agenda.add(item, at: max(time ?? state.now, state.now))
    }
  }

  func remove(_ identity: Int) {
    let removed = state.withLock { state in
      let removed = state.agenda.take(identity)
      if case .sleeper? = removed { state.sleepers -= 1 }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  /// Sets the goal; returns false if another advance is running, which then continues to the goal.
  func begin(
    isEverything: Bool = false, _ target: (SchedulerTimeType) -> SchedulerTimeType
  ) -> Bool {
    state.withLock { state in
      let goal = Goal(time: target(state.now), isEverything: isEverything)
      guard let running = state.goal else {
        state.goal = goal
        return true
      }
      state.goal = Goal(
        time: max(running.time, goal.time),
        isEverything: running.isEverything || goal.isEverything)
      return false
    }
  }

  /// Runs the due actions until the goal is reached; returns false at the limit.
  @discardableResult
  func work(atMost limit: Int = .max) -> Bool {
    var actions = 0
    while true {
      switch next(mayRun: actions < limit) {
      case .item(.action(let action, _)): action.run()
      case .item(.sleeper(let wait)): wait.end(.reached)
      case .reached: return true
      case .tooMuch: return false
      }
      actions += 1
    }
  }

  private func next(mayRun: Bool) -> Step {
    state.withLock { state in
      guard let goal = state.goal else { return .reached }
      guard let time = state.agenda.next?.time, goal.isEverything || time <= goal.time else {
        state.now = max(state.now, goal.time)
        state.goal = nil
        return .reached
      }
      guard mayRun, let entry = state.agenda.takeNext() else {
        state.goal = nil
        return .tooMuch
      }
      state.now = max(state.now, time)
      switch entry.item {
      case .action(_, let interval?):
        let next = time.advanced(by: interval)
        // At the end of time there is no next moment.
        if next > time { state.agenda.add(entry, again: next) }
      case .action: break
      case .sleeper: state.sleepers -= 1
      }
      return .item(entry.item)
    }
  }

  // Not `precondition`, which prints no message in a release build.
  static func refuse(_ reason: String) -> Never { fatalError("TestScheduler: \(reason)") }
}

extension TestScheduler {
  /// An action that has not run.
  private struct Revocation: Cancellable {
    weak var scheduler: TestScheduler?
    let identity: Int

    func cancel() { scheduler?.remove(identity) }
  }

  /// Runs an action at or soon after the specified time, unless the result is cancelled before.
  @_documentation(visibility: internal)
  public func _scheduleRevocably(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) -> (any Cancellable)? {
    Revocation(scheduler: self, identity: add(at: date, action))
  }

  /// Runs an action of a clock's scheduler.
  package func run(
    at instant: Instant?, every interval: Duration?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    // An interval of less than a tick is one tick: parts are rounded up.
    let identity = add(at: instant, every: interval.map { .init($0) }, action)
    return Revocation(scheduler: self, identity: identity)
  }
}
