public import Fanout
internal import FanoutEngine

/// A scheduler whose time stands still until it is told to move.
///
/// Time is counted in ticks from zero; a tick stands for a millisecond. An action that is scheduled
/// waits until ``advance(by:)``, ``advance(to:)`` or ``run(atMost:)`` reaches its moment. Nothing
/// sleeps: an hour passes as fast as its actions run. Actions run in order of their moments, and
/// those of one moment in the order in which they were scheduled. What is scheduled for the past
/// is due now, also what is scheduled without a moment.
///
/// - Concurrency: every member may be used from any thread. Actions run on the thread that advances,
///   one after another, with no lock held. They may schedule more, which still runs if it is due.
///   Advancing inside an action, or while another thread advances, only moves the goal of that
///   advance, and returns at once.
/// - Cancel: a repetition ends when what was returned for it is cancelled or dropped; its action is
///   let go at once.
/// - Ownership: retains an action until it has run, or for ever if it never comes to it.
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
public final class TestScheduler: Scheduler, Sendable {
  /// There is nothing to choose.
  public enum SchedulerOptions: Sendable {}

  /// How far the running advance goes.
  private struct Goal {
    var time: SchedulerTimeType
    var isEverything = false
  }

  private enum Step {
    case action(Agenda.Entry)
    case reached
    case tooMuch
  }

  private struct State {
    var now: SchedulerTimeType = 0
    var agenda = Agenda()
    // There is one while somebody advances.
    var goal: Goal?
  }

  private let state = Lock(State())

  /// Makes a scheduler at tick zero.
  public init() {}

  /// The moment that time has reached.
  public var now: SchedulerTimeType { state.withLock { $0.now } }

  /// Zero: nothing is ever late.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// How many actions wait, each repetition counted once.
  public var scheduledCount: Int { state.withLock { $0.agenda.count } }

  /// Moves time on, and runs what becomes due.
  ///
  /// It does not end if an action schedules itself again without letting time pass.
  ///
  /// - Parameter distance: How many ticks, zero or more; zero runs what is due now. Traps if it is
  ///   negative.
  public func advance(by distance: SchedulerTimeType.Stride) {
    guard distance >= 0 else { Self.refuse("advance(by: \(distance)) would go back in time") }
    if begin({ $0.advanced(by: distance) }) { work() }
  }

  /// Moves time on to a moment, and runs what becomes due.
  ///
  /// - Parameter time: The moment, not earlier than ``now``; otherwise it traps.
  public func advance(to time: SchedulerTimeType) {
    let now = now
    guard time >= now else { Self.refuse("advance(to: \(time)) would go back from \(now)") }
    if begin({ _ in time }) { work() }
  }

  /// Runs everything that is scheduled, also what is scheduled meanwhile, and moves time on to the
  /// last of it.
  ///
  /// Inside an action, or while another thread advances, it only tells that advance to run
  /// everything, and then there is no limit.
  ///
  /// - Parameter limit: After so many actions it gives up, if there is more to do; it is then left
  ///   scheduled.
  /// - Throws: ``EndlessRun``, if it gives up.
  public func run(atMost limit: Int = 100_000) throws {
    if begin(isEverything: true, { $0 }), !work(atMost: limit) {
      throw EndlessRun(actions: limit, time: now)
    }
  }

  /// Schedules an action for now: it runs at the next advance, also at one by zero.
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

  /// Schedules an action for a moment and every `interval` after it; traps if that is not positive.
  ///
  /// The action is stopped when the result is cancelled or dropped.
  @preconcurrency
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    guard interval > 0 else { Self.refuse("an interval of \(interval) ticks would never end") }
    let identity = add(at: date, every: interval, action)
    return AnyCancellable { [weak self] in self?.remove(identity) }
  }

  @discardableResult
  func add(
    at time: SchedulerTimeType?, every interval: SchedulerTimeType.Stride? = nil,
    _ action: @escaping @Sendable () -> Void
  ) -> Int {
    let action = Agenda.Action(run: action)
    return state.withLock { state in
      state.agenda.add(at: max(time ?? state.now, state.now), every: interval, action)
    }
  }

  func remove(_ identity: Int) {
    let removed = state.withLock { $0.agenda.take(identity) }
    withExtendedLifetime(removed) {}
  }

  /// Sets the goal; false if somebody advances already, who will go there.
  private func begin(
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

  /// Runs what is due until the goal is reached; false if it was too much.
  @discardableResult
  private func work(atMost limit: Int = .max) -> Bool {
    var actions = 0
    while true {
      switch next(mayRun: actions < limit) {
      case .action(let entry): entry.action.run()
      case .reached: return true
      case .tooMuch: return false
      }
      actions += 1
    }
  }

  private func next(mayRun: Bool) -> Step {
    state.withLock { state in
      guard let goal = state.goal else { return .reached }
      guard let time = state.agenda.nextTime, goal.isEverything || time <= goal.time else {
        state.now = max(state.now, goal.time)
        state.goal = nil
        return .reached
      }
      guard mayRun, let entry = state.agenda.takeNext() else {
        state.goal = nil
        return .tooMuch
      }
      state.now = max(state.now, time)
      return .action(entry)
    }
  }

  // Not `precondition`: that says nothing in a release build.
  private static func refuse(_ reason: String) -> Never { fatalError("TestScheduler: \(reason)") }
}
