internal import FanoutEngine
internal import FanoutOperators

extension TestScheduler {
  /// A moment of the clock's time: the scheduler's own type.
  public typealias Instant = SchedulerTimeType

  /// The length of a tick, which is a millisecond.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Waits until a test has advanced time to a moment.
  ///
  /// The moment is rounded up to whole ticks. One that has been reached costs no suspension.
  ///
  /// A task that wakes goes on beside the thread that advances, which does not wait for it. So the
  /// task sees a later ``now`` if that thread moves time on, and a sleep that it begins then counts
  /// from there. To move time only as far as the tasks have got, say how many there are:
  /// ``advance(by:sleepers:within:)``.
  ///
  /// - Concurrency: tasks wake in order of their moments, actions and tasks of one moment in order
  ///   of arrival. No lock is held.
  /// - Cancel: wakes the task at once. A task that is cancelled while time reaches its moment wakes
  ///   once, in one way or the other.
  /// - Ownership: retains the scheduler until the task wakes.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: Not used: nothing is late.
  /// - Throws: `CancellationError`, if the task is cancelled before the moment.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let egg = Task {
  ///   try await clock.sleep(for: .seconds(300))
  ///   return "boiled"
  /// }
  /// try await clock.waitForSleepers(1)
  /// clock.advance(by: .seconds(300))
  /// print(try await egg.value)
  /// // Prints:
  /// // boiled
  /// ```
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleep = Sleep(self)
    // It begins inside the handler: a test that sees it, and then cancels, finds it ended.
    let isReached = await withTaskCancellationHandler {
      guard sleep.begin(until: deadline) else { return true }
      if Task.isCancelled { sleep.cancel() }
      return await sleep.reachesItsMoment
    } onCancel: {
      sleep.cancel()
    }
    if !isReached { throw CancellationError() }
  }

  /// A sleep of a task.
  package struct Sleep: Sendable {
    private let scheduler: TestScheduler
    private let identity: Int
    private let sleeper = Wait()

    package init(_ scheduler: TestScheduler) {
      self.scheduler = scheduler
      identity = scheduler.state.withLock { $0.agenda.nextIdentity() }
    }

    /// Begins the sleep, which may end a wait for sleepers; returns false if the moment has come.
    package func begin(until deadline: Instant) -> Bool {
      let over = scheduler.state.withLock { state -> [Wait]? in
        guard deadline > state.now else { return nil }
        state.agenda.add(.sleeper(sleeper), identity, at: deadline)
        state.sleepers += 1
        return state.waiting.filter { $0.count <= state.sleepers }.map(\.wait)
      }
      over?.forEach { $0.end(.reached) }
      return over != nil
    }

    /// Waits for the moment, or for a cancel.
    package var reachesItsMoment: Bool {
      get async { await withCheckedContinuation { sleeper.suspend($0) } == .reached }
    }

    /// Wakes the task, unless time has done it.
    package func cancel() {
      scheduler.remove(identity)
      sleeper.end(.taskCancelled)
    }
  }

  /// The number of tasks that sleep on this clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers } }

  /// Waits until a number of tasks sleep on this clock.
  ///
  /// The task that falls asleep resumes the wait; if enough sleep, the method returns at once.
  ///
  /// - Parameters:
  ///   - count: The number of tasks, zero or more.
  ///   - limit: The longest wait, in real time.
  /// - Throws: ``MissingSleepers`` at the limit; `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func waitForSleepers(
    _ count: Int, within limit: Duration = .seconds(10)
  ) async throws {
    let wait = Wait()
    let isReached = state.withLock { state in
      if state.sleepers < count { state.waiting.append((count, wait)) }
      return state.sleepers >= count
    }
    if isReached { return }
    let outcome = await wait.value(within: limit)
    let found = state.withLock { state in
      state.waiting.removeAll { $0.wait === wait }
      return state.sleepers
    }
    switch outcome {
    case .taskCancelled: throw CancellationError()
    case .tooLate: throw MissingSleepers(expected: count, found: found, time: now)
    default: return
    }
  }

  /// Advances time by a number of ticks, and before each moment with something to do waits until
  /// all tasks sleep.
  ///
  /// So a task that sleeps several times does so in virtual time, however far time is advanced. The
  /// method does not wait at the end: the tasks that it has woken last are on their way, and the
  /// next call waits for them. A task that ends before that is one sleeper less, so advance no
  /// further than to its last moment.
  ///
  /// - Parameters:
  ///   - distance: The number of ticks, zero or more. Traps if it is negative.
  ///   - count: The number of tasks that sleep whenever time moves.
  ///   - limit: The longest wait for a task to fall asleep, in real time.
  /// - Throws: ``MissingSleepers`` at the limit; `CancellationError` if the task is cancelled.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let work = Task {
  ///   for attempt in 1...3 {
  ///     try await clock.sleep(for: .seconds(attempt))
  ///     print("at", clock.now, "attempt", attempt)
  ///   }
  /// }
  /// try await clock.advance(by: .seconds(6), sleepers: 1)
  /// try await work.value
  /// // Prints:
  /// // at 1000 attempt 1
  /// // at 3000 attempt 2
  /// // at 6000 attempt 3
  /// ```
  public nonisolated(nonsending) func advance(
    by distance: SchedulerTimeType.Stride, sleepers count: Int,
    within limit: Duration = .seconds(10)
  ) async throws {
    guard distance >= 0 else {
      Self.refuse("advance(by: \(distance)) would go back in time; pass 0 or more.")
    }
    let goal = now.advanced(by: distance)
    repeat {
      try await waitForSleepers(count, within: limit)
      let next = state.withLock { $0.agenda.next?.time }
      // Another thread may have advanced further meanwhile, or be advancing still.
      if begin({ max($0, min(goal, next ?? goal)) }) { work() } else { await Task.yield() }
    } while now < goal
  }
}

/// An error of a test scheduler on which fewer tasks sleep than a test waits for.
///
/// The usual cause is a task that has ended, or that waits for something else than time.
public struct MissingSleepers: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of tasks that should sleep.
  public let expected: Int
  /// The number of tasks that sleep.
  public let found: Int
  /// The moment that time had reached.
  public let time: TestScheduler.SchedulerTimeType

  /// The problem and its remedies.
  public var description: String {
    """
    Expected \(expected) tasks that sleep on the TestScheduler; \(found) sleep, and it is tick \
    \(time). Expect fewer, or advance no further than to the last moment at which a task wakes.
    """
  }
}
