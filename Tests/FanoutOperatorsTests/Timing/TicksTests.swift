import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct TicksTests {
  @Test func `T1: ticks come one interval apart, the first after one, as the scheduler says`() {
    let clock = TestScheduler()
    let times = Notes<TestScheduler.SchedulerTimeType>()
    let start = clock.now
    let shown = clock.ticks(every: .seconds(2)).sink { times.append($0) }
    clock.advance(by: .seconds(1))
    #expect(times.count == 0)
    clock.advance(by: .seconds(6))
    #expect(times.all == [2, 4, 6].map { start.advanced(by: .seconds($0)) })
    shown.cancel()
    clock.advance(by: .seconds(10))
    #expect(times.count == 3)
  }

  @Test func `D8: a tick without demand is left out`() {
    let clock = TestScheduler()
    let subscriber = TestSubscriber<TestScheduler.SchedulerTimeType, Never>(initialDemand: .max(1))
    clock.ticks(every: .seconds(1)).subscribe(subscriber)
    clock.advance(by: .seconds(3))
    #expect(subscriber.values.count == 1)
    subscriber.request(.max(1))
    clock.advance(by: .seconds(3))
    #expect(subscriber.values.count == 2)
    subscriber.cancel()
  }
}
