import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct DelayTests {
  private let scene = TimedScene()
  private var delayed: Publishers.Delay<TestPublisher<Int, Broken>, TestScheduler> {
    scene.upstream.delay(for: 10, scheduler: scene.scheduler)
  }

  @Test func `order, distances and the end are kept`() {
    scene.play([(0, 1), (0, 2), (3, 3), (9, 4), (30, 5)], end: (32, .finished))
    let expected = ["10: 1", "10: 2", "13: 3", "19: 4", "40: 5", "42: finished"]
    #expect(scene.calls(of: delayed) == expected)
  }

  @Test func `D9: a failure is delayed too, and overtakes no value`() {
    scene.play([(0, 1), (5, 2)], end: (5, .failure(Broken())))
    #expect(
      scene.calls(of: delayed) == ["10: 1", "15: 2", "15: failure(Broken())"])
  }

  @Test func `an end with no value before it is delayed, and needs no demand`() {
    scene.play([], end: (5, .finished))
    #expect(scene.calls(of: delayed, demand: .none) == ["15: finished"])
  }

  @Test func `D8: demand goes up as it is, at once`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2)) { _, value in
      value == 1 ? .max(3) : .none
    }
    delayed.subscribe(subscriber)
    #expect(scene.upstream.requests == [.max(2)])
    scene.upstream.send(1)
    #expect(scene.upstream.requests == [.max(2)])
    scene.scheduler.advance(by: 10)
    #expect(scene.upstream.requests == [.max(2), .max(3)])
    subscriber.request(.max(1))
    #expect(scene.upstream.requests == [.max(2), .max(3), .max(1)])
    #expect(scene.scheduler.scheduledCount == 0)
    subscriber.cancel()
  }

  @Test func `D8, D9: what comes unrequested waits, and the end behind it`() {
    scene.play([(0, 1), (1, 2), (2, 3)], end: (3, .finished))
    let calls = scene.calls(
      of: delayed, demand: .max(1), requests: [(5, .max(1)), (40, .max(1))])
    #expect(calls == ["10: 1", "11: 2", "40: 3", "40: finished"])
  }

  @Test func `however many values are on their way, one action is scheduled`() {
    let subscriber = TestSubscriber<Int, Broken>()
    delayed.subscribe(subscriber)
    for value in 1...1000 {
      scene.upstream.send(value)
      if value.isMultiple(of: 100) { scene.scheduler.advance(by: 1) }
      #expect(scene.scheduler.scheduledCount == 1)
    }
    scene.scheduler.advance(by: 10)
    #expect(subscriber.values == Array(1...1000))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D3: a value that is sent inside a delivery is delayed from then on`() {
    let (scheduler, upstream) = (scene.scheduler, scene.upstream)
    let subscriber = TestSubscriber<Int, Broken>(scheduler: scheduler) { _, value in
      if value < 3 { upstream.send(value + 1) }
      return .none
    }
    delayed.subscribe(subscriber)
    upstream.send(1)
    scheduler.advance(by: 100)
    #expect(
      subscriber.timedEvents.map(\.description) == ["0: subscription", "10: 1", "20: 2", "30: 3"])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `without time nothing is delayed, one value at a time or all`() {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: demand, demandFor: { _, _ in demand })
      (1...500).publisher.delay(for: .seconds(1), scheduler: ImmediateScheduler.shared)
        .subscribe(subscriber)
      #expect(subscriber.values == Array(1...500))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
    let frozen = TestSubscriber<Int, Never>()
    (1...5).publisher.delay(for: 3, scheduler: FrozenScheduler()).subscribe(frozen)
    #expect(frozen.values == [1, 2, 3, 4, 5])
    #expect(frozen.completion == .finished)
  }

  @Test func `the tolerance goes to the scheduler, or the least that it promises`() {
    let noting = NotingScheduler()
    let one = Just(1).delay(for: 3, tolerance: 2, scheduler: noting).sink { _ in }
    let other = Just(1).delay(for: 3, scheduler: noting).sink { _ in }
    #expect(noting.tolerances.all == [2, 9])
    withExtendedLifetime((one, other)) {}
  }
}

/// A scheduler that runs nothing, and notes the tolerances that it is given.
private final class NotingScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let tolerances = Notes<SchedulerTimeType.Stride>()
  var now: SchedulerTimeType { 0 }
  var minimumTolerance: SchedulerTimeType.Stride { 9 }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {}

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) { tolerances.append(tolerance) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable { Subscriptions.empty }
}
