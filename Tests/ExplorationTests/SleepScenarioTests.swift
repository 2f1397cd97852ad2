// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutEngine
  import FanoutLifetime
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// A test scheduler with tasks that sleep on it as on a clock.
  private final class Bedroom: @unchecked Sendable {
    let clock = TestScheduler()
    let tasks = ExploredTasks()
    private var sleeps: [Int: TestScheduler.Sleep] = [:]
    private var cancelled: Set<Int> = []
    private var ends: [Int: [Bool]] = [:]
    private var problems: [String] = []

    /// Begins a sleep until a moment, and lets a task wait for its end.
    func sleep(until moment: Int) {
      let sleep = TestScheduler.Sleep(clock)
      guard sleep.begin(until: .init(moment)) else {
        ends[moment, default: []].append(true)
        return
      }
      sleeps[moment] = sleep
      Task(executorPreference: tasks) {
        let isReached = await sleep.reachesItsMoment
        if isReached, self.clock.now.ticks < moment { self.problems.append("woken too early") }
        self.ends[moment, default: []].append(isReached)
      }
    }

    func cancel(_ moment: Int) {
      guard let sleep = sleeps[moment] else { return }
      cancelled.insert(moment)
      sleep.cancel()
    }

    /// Returns what is wrong when time has passed every moment up to a time.
    func problem(_ moments: Int..., at time: ClosedRange<Int>) -> String? {
      tasks.runAll()
      if !time.contains(clock.now.ticks) { problems.append("it is \(clock.now)") }
      if clock.sleeperCount != 0 || clock.scheduledCount != 0 {
        problems.append("\(clock.sleeperCount) sleep, \(clock.scheduledCount) wait")
      }
      for moment in moments {
        let isRight =
          ends[moment] == [true] || ends[moment] == [false] && cancelled.contains(moment)
        if !isRight { problems.append("the sleep until \(moment) ended \(ends[moment] ?? [])") }
      }
      return problems.nonEmptyText
    }
  }

  @Suite(.serialized)
  struct SleepScenarioTests {
    @Test func `T1 D7 explored: a sleep against its cancel and time`() {
      explore("sleeps: sleep;run|cancel|advance") {
        let room = Bedroom()
        room.sleep(until: 1)
        return Scenario(threads: [
          {
            room.tasks.here { room.sleep(until: 2) }
            room.tasks.runner(2)()
          }, { room.cancel(1) }, { room.clock.advance(by: 2) },
        ]) { room.problem(1, 2, at: 2...2) }
      }
    }

    @Test func `T1 explored: a sleep against two that advance`() {
      explore("sleeps: sleep;run|advance|advance") {
        let room = Bedroom()
        return Scenario(threads: [
          {
            room.tasks.here { room.sleep(until: 1) }
            room.tasks.runner(1)()
          }, { room.clock.advance(by: 1) }, { room.clock.advance(by: 1) },
          // One that begins while the other runs counts from the time that this one has reached.
        ]) { room.problem(1, at: 1...2) }
      }
    }

    @Test func `T1 D7 explored: two cancels of a sleep against time and its task`() {
      explore("sleeps: cancel|cancel|advance|run") {
        let room = Bedroom()
        room.sleep(until: 1)
        return Scenario(threads: [
          { room.cancel(1) }, { room.cancel(1) }, { room.clock.advance(by: 1) },
          room.tasks.runner(1),
        ]) { room.problem(1, at: 1...1) }
      }
    }
  }

  /// A clock whose sleeps end when a thread says so, whatever time it shows.
  private final class HandClock: Clock, @unchecked Sendable {
    typealias Instant = TestScheduler.Instant

    private let sleepers = Lock<[(until: Instant, end: OneShot<Void>)]>([])

    var now: Instant { 0 }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let end = OneShot<Void>()
      sleepers.withLock { $0.append((deadline, end)) }
      await end.wait(isolation: nil)
    }

    /// Ends the sleeps until a moment; returns whether there was one.
    @discardableResult
    func wake(until moment: Int) -> Bool {
      let ended = sleepers.withLock { sleepers in
        defer { sleepers.removeAll { $0.until.ticks <= moment } }
        return sleepers.filter { $0.until.ticks <= moment }
      }
      for sleeper in ended { sleeper.end.give(()) }
      return !ended.isEmpty
    }
  }

  /// A scheduler on a clock, and what has become of its actions.
  private final class Agenda: @unchecked Sendable {
    let tasks = ExploredTasks()
    let clock = HandClock()
    private var scheduler: ClockScheduler<HandClock>?
    private var runs: [Int] = []
    private var revocations: [Int: any Cancellable] = [:]
    private var cancelled: Set<Int> = []
    private var isRunning = false
    private var problems: [String] = []
    private let point = Lock(0)
    private var token: Token? = Token()
    private let watch: WeakReference

    init() {
      scheduler = ClockScheduler(clock)
      watch = WeakReference(token)
    }

    func add(_ moment: Int) {
      tasks.here {
        revocations[moment] = scheduler?._scheduleRevocably(
          after: .init(.init(moment)), tolerance: 0, options: nil
        ) { [token] in
          withExtendedLifetime(token) { self.run(moment) }
        }
      }
    }

    func cancel(_ moment: Int) {
      tasks.here { revocations[moment]?.cancel() }
      cancelled.insert(moment)
    }

    func wake(_ moment: Int) { _ = tasks.here { clock.wake(until: moment) } }

    private func run(_ moment: Int) {
      if isRunning { problems.append("two actions at a time") }
      if cancelled.contains(moment) { problems.append("\(moment) ran behind its cancel") }
      isRunning = true
      point.withLock { $0 += 1 }
      runs.append(moment)
      isRunning = false
    }

    /// Lets all time pass, and returns what is wrong then.
    func problem(_ moments: Int...) -> String? {
      tasks.runAll()
      while tasks.here({ clock.wake(until: .max) }) { tasks.runAll() }
      for moment in moments {
        let count = runs.count { $0 == moment }
        if count > 1 || count == 0 && !cancelled.contains(moment) {
          problems.append("\(moment) ran \(count) times")
        }
      }
      (scheduler, revocations, token) = (nil, [:], nil)
      if watch.isAlive { problems.append("an action is held") }
      return problems.nonEmptyText
    }
  }

  @Suite(.serialized)
  struct ClockScenarioTests {
    @Test func `T1 explored: an earlier action against the end of the sleep for a later one`() {
      explore("clock: add 10;end of sleep|end of sleep;run|run") {
        let agenda = Agenda()
        agenda.add(20)
        agenda.tasks.runAll()
        agenda.wake(20)
        return Scenario(threads: [
          agenda.tasks.runner(1),
          {
            agenda.add(10)
            agenda.tasks.runner(1)()
          },
          {
            agenda.wake(10)
            agenda.tasks.runner(2)()
          },
        ]) { agenda.problem(10, 20) }
      }
    }

    @Test func `T1 D7 explored: a cancel against the end of its sleep and another action`() {
      explore("clock: cancel|end of sleep;run|add 20") {
        let agenda = Agenda()
        agenda.add(10)
        agenda.tasks.runAll()
        return Scenario(threads: [
          { agenda.cancel(10) },
          {
            agenda.wake(10)
            agenda.tasks.runner(3)()
          }, { agenda.add(20) },
        ]) { agenda.problem(10, 20) }
      }
    }

    @Test func `T1 D7 explored: actions of two threads, of which one is cancelled, beside a task`()
    {
      explore("clock: add 10;cancel 10|add 20|run;end of sleep;run") {
        let agenda = Agenda()
        return Scenario(threads: [
          {
            agenda.add(10)
            agenda.cancel(10)
          }, { agenda.add(20) },
          {
            agenda.tasks.runner(1)()
            agenda.wake(20)
            agenda.tasks.runner(2)()
          },
        ]) { agenda.problem(10, 20) }
      }
    }
  }
#endif
