import Fanout
import FanoutTestSupport
import TestThreads
import Testing

/// Many threads may schedule, cancel and advance; actions never overlap.
struct TestSchedulerRaceTests {
  @Test func `each action runs once, and actions never overlap`() {
    let scheduler = TestScheduler()
    let ran = Shared(0)
    let inside = Shared(0)
    let overlaps = Shared(0)
    let action: @Sendable () -> Void = {
      if inside.increment() > 1 { overlaps.increment() }
      ran.increment()
      inside.change { $0 -= 1 }
    }
    let isDone = race(
      (0..<4).map { thread in
        {
          for round in 0..<200 {
            scheduler.schedule(after: .init(round), action)
            scheduler.advance(by: 1)
            let ticking = scheduler.schedule(after: .init(100_000 + thread), interval: 1, action)
            ticking.cancel()
          }
        }
      })
    #expect(isDone)
    scheduler.advance(to: 200_000)
    #expect(ran.value == 800)
    #expect(overlaps.value == 0)
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `marbles keep the contract when another thread cancels them`() {
    for _ in 0..<50 {
      let scheduler = TestScheduler()
      let upstream = scheduler.cold("abcdefgh|")
      let subscriber = TestSubscriber<String, Never>(scheduler: scheduler)
      let isDone = race(
        { upstream.subscribe(subscriber) },
        { for _ in 0..<10 { scheduler.advance(by: 1) } },
        {
          yieldThread()
          subscriber.cancel()
        })
      #expect(isDone)
      scheduler.advance(by: 20)
      #expect(subscriber.violations == [], "\(subscriber.report)")
    }
  }
}
