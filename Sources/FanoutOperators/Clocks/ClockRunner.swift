// `@unchecked Sendable` invariant: `state` is reached under its lock. The other variables belong to
// the thread or task that holds the turn: `isHeld` is set under the lock by the one that takes it,
// which sees what the one before it did, because that one gave the turn back under the same lock. A
// clock and its instants are user code: nothing of them is called under the lock.

internal import FanoutEngine

/// The actions of a clock's scheduler, and the task that sleeps for the earliest of them.
///
/// Whatever comes is put down under the lock. Then one thread or task has the turn, and puts it in
/// order. A thread that schedules or cancels takes the turn only for that: actions run in tasks.
final class ClockRunner<Base: Clock>: @unchecked Sendable where Base.Duration == Duration {
  private struct State {
    var arrived: [(work: ClockWork, instant: Base.Instant?)] = []
    var cancelled = 0
    /// The number of the sleep that has ended.
    var endedSleep: Int?
    var isHeld = false

    var isQuiet: Bool { arrived.isEmpty && cancelled == 0 && endedSleep == nil }

    /// Takes the turn; returns false if it is held, and the holder will look again.
    mutating func take() -> Bool {
      defer { isHeld = true }
      return !isHeld
    }
  }

  private struct Sleep {
    let number: Int
    let end: Base.Instant
    let tolerance: Duration
    let task: Task<Void, Never>
  }

  /// The longest sleep: that of the system's clocks can't be much longer, so a longer wait takes
  /// several.
  private static var longestSleep: Duration { .seconds(1_000_000_000) }

  private let clock: Base
  private let state = Lock(State())

  private var agenda = Agenda<Base.Instant, ClockWork>()
  /// Actions without a time, with the numbers of their arrival.
  private let ready = ValueQueue<(work: ClockWork, order: Int)>()
  private var nextReady: (work: ClockWork, order: Int)?
  /// The number of items of the agenda that may be cancelled.
  private var cancelled = 0
  /// The least tolerance of the actions that wait.
  private var tolerance: Duration?
  /// The time until which a sleep has lasted, which has come, whatever the clock shows.
  private var reached: Base.Instant?
  private var sleep: Sleep?
  private var sleeps = 0
  /// This object, while a task sleeps: the task does not retain it, so that a cancel can release it
  /// at once.
  private var keeper: ClockRunner?

  init(_ clock: Base) {
    self.clock = clock
    noteCreation(of: self, isPart: true)
  }

  /// Adds an action, for the next opportunity if there is no time.
  func add(_ work: ClockWork, at instant: Base.Instant?) {
    let isMine = state.withLock { state in
      state.arrived.append((work, instant))
      return state.take()
    }
    if isMine { arrange() }
  }

  /// Notes that an action that was added has been cancelled.
  func noteCancel() {
    let isMine = state.withLock { state in
      state.cancelled += 1
      return state.take()
    }
    if isMine { arrange() }
  }

  private func noteEnd(ofSleep number: Int) -> Bool {
    state.withLock { state in
      // The task of an earlier sleep may come late, and must not hide that a later one is over.
      state.endedSleep = max(state.endedSleep ?? 0, number)
      return state.take()
    }
  }

  /// Puts in order what has come, and gives the turn to a task if something is due.
  private func arrange() {
    repeat {
      takeNews()
      if isDue {
        _ = startTask(.own(nil)) { await self.work() }
        return
      }
      arrangeSleep()
    } while !leave()
  }

  /// Runs what is due, and then gives the turn back.
  private func work() async {
    var runs = 0
    repeat {
      takeNews()
      while let work = takeDue() {
        work.run()
        runs += 1
        if runs % 128 == 0 { await Task.yield() }
        takeNews()
      }
      arrangeSleep()
    } while !leave()
  }

  /// Gives the turn back; returns false if something has come meanwhile.
  private func leave() -> Bool {
    state.withLock { state in
      if state.isQuiet { state.isHeld = false }
      return state.isQuiet
    }
  }

  private func takeNews() {
    let news = state.withLock { state in
      defer { state = State(isHeld: true) }
      return state
    }
    if let sleep, sleep.number == news.endedSleep {
      reached = sleep.end
      self.sleep = nil
    }
    for (work, instant) in news.arrived {
      if let instant {
        _ = agenda.add(work, at: instant)
        tolerance = tolerance.map { min($0, work.tolerance) } ?? work.tolerance
      } else {
        ready.append((work, agenda.countArrival()))
      }
    }
    cancelled += news.cancelled
    if cancelled > 16, cancelled * 2 > agenda.count {
      _ = agenda.takeAll { $0.isOver }
      cancelled = 0
    }
  }

  /// The first item of the agenda that is not cancelled.
  private var next: Agenda<Base.Instant, ClockWork>.Entry? {
    while let next = agenda.next {
      if !next.item.isOver { return next }
      _ = agenda.takeNext()
    }
    return nil
  }

  /// Whether there is an action to run now.
  private var isDue: Bool {
    if ready.count > 0 || nextReady != nil { return true }
    return next.map { hasCome($0.time) } ?? false
  }

  private func hasCome(_ time: Base.Instant) -> Bool {
    if let reached, time <= reached { return true }
    return time <= clock.now
  }

  /// Takes out the action to run next, of those that are due: the one that arrived first, or has
  /// the earlier time.
  private func takeDue() -> ClockWork? {
    nextReady = nextReady ?? ready.popFirst()
    guard let next, next.order < nextReady?.order ?? .max, hasCome(next.time) else {
      defer { nextReady = nil }
      return nextReady?.work
    }
    _ = agenda.takeNext()
    if let interval = next.item.interval {
      // What has been missed is left out.
      let late = next.time.duration(to: clock.now)
      let missed = late < interval ? 0 : late.attoseconds / interval.attoseconds
      agenda.add(next, again: next.time.advanced(by: interval * (missed + 1)))
    }
    return next.item
  }

  /// Lets a task sleep for the earliest action, if there is one, and none otherwise.
  private func arrangeSleep() {
    reached = nil
    guard let next else {
      tolerance = nil
      sleep?.task.cancel()
      (sleep, keeper) = (nil, nil)
      return
    }
    let tolerance = tolerance ?? .zero
    if let sleep, sleep.end <= next.time, sleep.tolerance <= tolerance { return }
    sleep?.task.cancel()
    sleeps += 1
    let end = min(next.time, clock.now.advanced(by: Self.longestSleep))
    let task = startTask(.own(nil)) { [weak self, clock, number = sleeps] in
      // A sleep that fails without being cancelled is over too.
      try? await clock.sleep(until: end, tolerance: tolerance)
      guard !Task.isCancelled, let self, self.noteEnd(ofSleep: number) else { return }
      await self.work()
    }
    sleep = Sleep(number: sleeps, end: end, tolerance: tolerance, task: task)
    keeper = self
  }
}
