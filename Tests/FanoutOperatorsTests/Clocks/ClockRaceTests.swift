import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Threads that schedule, cancel and advance at the same time.
struct ClockRaceTests {
  @Test func `D1: each action runs once or is cancelled, and actions never overlap`() async {
    for _ in 0..<rounds(20) {
      let hand = TestScheduler()
      let scheduler = SleepingClock(hand).scheduler
      let (threads, each) = (3, 50)
      let gate = AsyncGate()
      let (over, ran, inside, overlaps) = (Shared(0), Shared(0), Shared(0), Shared(0))
      let finish: @Sendable () -> Void = {
        if over.increment() == threads * each { gate.open() }
      }
      let schedule: @Sendable (Int) -> Void = { thread in
        for number in 0..<each {
          let token = Token(finish)
          let revocation = scheduler._scheduleRevocably(
            after: .init(.init(number + thread)), tolerance: 0, options: nil
          ) {
            if inside.increment() > 1 { overlaps.increment() }
            ran.increment()
            inside.change { $0 -= 1 }
            withExtendedLifetime(token) {}
          }
          if number % 3 == 0 { revocation?.cancel() }
        }
      }
      let isDone = race(
        { schedule(0) }, { schedule(1) }, { schedule(2) },
        { for _ in 0..<30 { hand.advance(by: 2) } })
      #expect(isDone)
      hand.advance(by: 1000)
      await gate.wait()
      #expect(overlaps.value == 0)
      #expect(ran.value >= threads * (each - each / 3 - 1))
      #expect(over.value == threads * each)
    }
  }
}

/// An object that reports its release.
private final class Token: Sendable {
  private let report: @Sendable () -> Void

  init(_ report: @escaping @Sendable () -> Void) { self.report = report }
  deinit { report() }
}
