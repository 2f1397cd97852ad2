import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The scheduler of a clock on which only tasks can sleep.
@Suite(.timeLimit(.minutes(30)))
struct ClockSchedulerTests {
  @TaskLocal private static var mark = "none"

  private let hand = TestScheduler()
  private let gate = AsyncGate()

  private var scheduler: ClockScheduler<SleepingClock> { SleepingClock(hand).scheduler }

  @Test func `T1: actions run in order of their times, and then of arrival`() async throws {
    let (scheduler, gate) = (scheduler, gate)
    let ran = Notes<Int>()
    for number in 0..<40 {
      // 10, 20, 30, 10, 20 and so on.
      let date = scheduler.now.advanced(by: .milliseconds(10 * (number % 3 + 1)))
      scheduler.schedule(after: date) { ran.append(number) }
    }
    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(30))) { gate.open() }
    try await hand.advance(by: 30, sleepers: 1, within: .seconds(1800))
    await gate.wait()
    let byTime: [[Int]] = (0..<3).map { rest in (0..<40).filter { $0 % 3 == rest } }
    #expect(ran.all == Array(byTime.joined()))
  }

  @Test func `T1: actions without a time run in order, behind what was due`() async {
    let (scheduler, gate) = (scheduler, gate)
    let ran = Notes<String>()
    scheduler.schedule {
      ran.append("first")
      scheduler.schedule { ran.append("third") }
      scheduler.schedule(after: scheduler.now) {
        ran.append("fourth")
        gate.open()
      }
      ran.append("second")
    }
    await gate.wait()
    #expect(ran.all == ["first", "second", "third", "fourth"])
  }

  @Test func `T1: the sleep is that for the earliest action`() async throws {
    let (scheduler, gate) = (scheduler, gate)
    let ran = Notes<TestScheduler.Instant>()
    let note: @Sendable () -> Void = { ran.append(hand.now) }
    scheduler.schedule(after: .init(20), note)
    try await hand.waitForSleepers(1, within: .seconds(1800))
    scheduler.schedule(after: .init(10), note)
    try await hand.waitForSleepers(1, within: .seconds(1800))
    scheduler.schedule(after: .init(30)) { gate.open() }
    #expect(hand.sleeperCount == 1)
    try await hand.advance(by: 30, sleepers: 1, within: .seconds(1800))
    await gate.wait()
    #expect(ran.all == [10, 20])
  }

  @Test func `D7, O5: a cancel releases the action and the sleep before it returns`() async throws {
    let scheduler = scheduler
    var held: Held? = Held()
    let watch = WeakReference(held)
    let revocation = scheduler._scheduleRevocably(
      after: .init(10), tolerance: 0, options: nil
    ) { [held] in
      withExtendedLifetime(held) {}
      Issue.record("cancelled actions do not run")
    }
    held = nil
    try await hand.waitForSleepers(1, within: .seconds(1800))
    #expect(watch.isAlive)
    revocation?.cancel()
    #expect(!watch.isAlive)
    #expect(hand.sleeperCount == 0)
    revocation?.cancel()
    hand.advance(by: 20)
  }

  @Test func `O5: of many cancelled actions nothing stays, while another one waits`() async throws {
    let (scheduler, gate) = (scheduler, gate)
    scheduler.schedule(after: .init(5)) { gate.open() }
    let watches = (0..<1000).map { _ in
      let held = Held()
      scheduler._scheduleRevocably(after: .init(10), tolerance: 0, options: nil) {
        withExtendedLifetime(held) {}
      }?.cancel()
      return WeakReference(held)
    }
    #expect(!watches.contains { $0.isAlive })
    try await hand.advance(by: 5, sleepers: 1, within: .seconds(1800))
    await gate.wait()
    #expect(hand.sleeperCount == 0)
  }

  @Test func `T1: the actions of a scheduler that is released still run`() async throws {
    let gate = gate
    scheduler.schedule(after: .init(10)) { gate.open() }
    try await hand.advance(by: 10, sleepers: 1, within: .seconds(1800))
    await gate.wait()
    #expect(hand.sleeperCount == 0)
  }

  @Test func `T1: a repetition keeps to its grid, and comes once for what it missed`() async throws
  {
    let clock = LateClock(hand: hand)
    let ran = Notes<TestScheduler.Instant>()
    let ticking = AnyCancellable(
      clock.scheduler.schedule(after: .init(10), interval: .milliseconds(10)) {
        ran.append(clock.now)
        // Nothing sleeps while the action runs, so that 30 and 40 pass.
        if ran.count == 2 { clock.late.value = 25 }
      })
    try await hand.advance(by: 20, sleepers: 1, within: .seconds(1800))
    try await hand.waitForSleepers(1, within: .seconds(1800))
    #expect(ran.all == [10, 20, 45])
    try await hand.advance(by: 5, sleepers: 1, within: .seconds(1800))
    try await hand.waitForSleepers(1, within: .seconds(1800))
    #expect(ran.all == [10, 20, 45, 50])
    ticking.cancel()
    await hand.waitForNoSleepers()
  }

  /// A clock that an action can set, whichever thread moves the hand.
  private struct LateClock: Clock {
    let hand: TestScheduler
    /// The ticks by which the clock is ahead of the hand.
    let late = Shared(0)

    var now: TestScheduler.Instant { hand.now.advanced(by: .init(late.value)) }
    var minimumResolution: Duration { hand.minimumResolution }

    func sleep(until deadline: TestScheduler.Instant, tolerance: Duration?) async throws {
      try await hand.sleep(until: deadline.advanced(by: .init(-late.value)))
    }
  }

  @Test func `T1: a repetition may cancel itself, and ends with its cancellable`() async throws {
    let (scheduler, gate) = (scheduler, gate)
    let held = Shared<AnyCancellable?>(nil)
    let ran = Notes<Int>()
    held.value = AnyCancellable(
      scheduler.schedule(after: .init(1), interval: .milliseconds(1)) {
        ran.append(ran.count)
        if ran.count == 2 { held.value?.cancel() }
      })
    scheduler.schedule(after: .init(5)) { gate.open() }
    try await hand.advance(by: 5, sleepers: 1, within: .seconds(1800))
    await gate.wait()
    #expect(ran.all == [0, 1])
    held.value = nil
    var dropped: (any Cancellable)? = scheduler.schedule(
      after: .init(10), interval: .milliseconds(1)
    ) {}
    try await hand.waitForSleepers(1, within: .seconds(1800))
    withExtendedLifetime(dropped) {}
    dropped = nil
    await hand.waitForNoSleepers()
  }

  @Test func `T1: a sleep that comes back early, or fails, counts`() async {
    struct OutOfOrder: Error {}
    struct Hasty: Clock {
      let fails: Bool
      var now: ContinuousClock.Instant { ContinuousClock().now }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        if fails { throw OutOfOrder() }
      }
    }
    for fails in [false, true] {
      let (scheduler, gate) = (Hasty(fails: fails).scheduler, AsyncGate())
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(3600))) { gate.open() }
      await gate.wait()
    }
  }

  @Test func `actions run in tasks without the task-local values of their caller`() async {
    let (scheduler, gate) = (scheduler, gate)
    let seen = Notes<String>()
    Self.$mark.withValue("caller") {
      scheduler.schedule {
        seen.append(Self.mark)
        gate.open()
      }
    }
    await gate.wait()
    #expect(seen.all == ["none"])
  }

  @Test func `a time that is as far away as can be is waited for`() async throws {
    let scheduler = ContinuousClock().scheduler
    let revocation = scheduler._scheduleRevocably(
      after: scheduler.now.advanced(by: .seconds(.max)), tolerance: 0, options: nil
    ) {
      Issue.record("the end of time has come")
    }
    let gate = gate
    scheduler.schedule { gate.open() }
    await gate.wait()
    revocation?.cancel()
  }
}

private final class Held: Sendable {}
