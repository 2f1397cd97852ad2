import FanoutCore
import FanoutEngine
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The operators of time with a busy subscriber, a clock that is set back, and equal times.
@Suite(.noLeaks) struct TimedEdgeTests {
  private typealias Tick = TestScheduler.SchedulerTimeType

  private let clock = LooseScheduler()
  private let upstream = TestPublisher<Int, Broken>()

  /// Returns a subscriber that runs a closure within the delivery of 1.
  private func busySubscriber(
    demand: Subscribers.Demand = .unlimited, _ work: @escaping @Sendable () -> Void
  ) -> TestSubscriber<Int, Broken> {
    TestSubscriber(initialDemand: demand) { _, value in
      if value == 1 { work() }
      return .none
    }
  }

  @Test func `D8: debounce drops no value that is due and requested, without time`() {
    let subscriber = busySubscriber(demand: .none) { [upstream] in
      (2...3).forEach(upstream.send)
    }
    upstream.debounce(for: .seconds(1), scheduler: ImmediateScheduler.shared).subscribe(subscriber)
    upstream.send(1)
    subscriber.request(.unlimited)
    upstream.send(4)
    #expect(subscriber.values == [1, 2, 3, 4])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test(arguments: [true, false])
  func `D8: throttle drops no value that is due and requested, without time`(latest: Bool) {
    let subscriber = busySubscriber(demand: .none) { [upstream] in
      (2...5).forEach(upstream.send)
    }
    upstream.throttle(for: .seconds(1), scheduler: ImmediateScheduler.shared, latest: latest)
      .subscribe(subscriber)
    upstream.send(1)
    subscriber.request(.unlimited)
    upstream.send(6)
    #expect(subscriber.values == [1, 2, 3, 4, 5, 6])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `D8: debounce keeps the values whose pause is over while the subscriber is busy`() {
    let subscriber = busySubscriber { [clock, upstream] in
      for (time, value) in [(150, 2), (300, 3)] {
        clock.run(at: Tick(time))
        upstream.send(value)
        clock.run(at: Tick(time + 20))
      }
    }
    upstream.debounce(for: 20, scheduler: clock).subscribe(subscriber)
    upstream.send(1)
    clock.run(at: 20)
    clock.run(at: 600)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `D8: debounce replaces only the value that is not requested, behind the others`() {
    let subscriber = busySubscriber(demand: .max(2)) { [clock, upstream] in
      for (time, value) in [(150, 2), (300, 3), (450, 4)] {
        clock.run(at: Tick(time))
        upstream.send(value)
        clock.run(at: Tick(time + 20))
      }
    }
    upstream.debounce(for: 20, scheduler: clock).subscribe(subscriber)
    upstream.send(1)
    clock.run(at: 20)
    clock.run(at: 600)
    #expect(subscriber.values == [1, 2])
    subscriber.request(.unlimited)
    clock.run(at: 600)
    #expect(subscriber.values == [1, 2, 4])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `D8: demand that a delivery returns counts for debounce and throttle`() {
    let immediate = ImmediateScheduler.shared
    for publisher in [
      upstream.debounce(for: 1, scheduler: immediate).eraseToAnyPublisher(),
      upstream.throttle(for: 1, scheduler: immediate, latest: true).eraseToAnyPublisher(),
    ] {
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { [upstream] _, value in
        if value == 2 { (3...5).forEach(upstream.send) }
        return value == 1 ? .max(3) : .none
      }
      publisher.subscribe(subscriber)
      (1...2).forEach(upstream.send)
      // Two of the three that were sent within a delivery were requested, and 5 waits.
      #expect(subscriber.values == [1, 2, 3, 4])
      upstream.send(6)
      subscriber.request(.max(1))
      #expect(subscriber.values == [1, 2, 3, 4, 6])
      #expect(subscriber.violations == [])
      subscriber.cancel()
      upstream.forgetSubscriptions()
    }
  }

  @Test(arguments: [true, false])
  func `throttle keeps the interval behind a late delivery`(latest: Bool) {
    let subscriber = busySubscriber { [clock, upstream] in
      for (time, value) in [(150, 2), (300, 3), (450, 4)] {
        clock.run(at: Tick(time))
        upstream.send(value)
        clock.run(at: Tick(time + 20))
      }
      clock.set(600)
    }
    upstream.throttle(for: 20, scheduler: clock, latest: latest).subscribe(subscriber)
    upstream.send(1)
    clock.run(at: 0)
    // It was delivered at 600, so that the next one is due at 620.
    #expect(subscriber.values == [1, 2])
    clock.run(at: 619)
    #expect(subscriber.values == [1, 2])
    clock.run(at: 620)
    #expect(subscriber.values == [1, 2, latest ? 4 : 3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `throttle begins an interval with each value of an action`() {
    let subscriber = busySubscriber { [clock, upstream] in
      clock.run(at: 150)
      upstream.send(2)
      clock.run(at: 170)
      clock.set(600)
    }
    upstream.throttle(for: 20, scheduler: clock, latest: true).subscribe(subscriber)
    upstream.send(1)
    clock.run(at: 0)
    #expect(subscriber.values == [1, 2])
    clock.run(at: 610)
    upstream.send(3)
    clock.run(at: 610)
    #expect(subscriber.values == [1, 2])
    clock.run(at: 620)
    #expect(subscriber.values == [1, 2, 3])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `D9: the end comes behind a value that throttle keeps for a late delivery`() {
    let subscriber = busySubscriber { [clock, upstream] in
      clock.run(at: 150)
      upstream.send(2)
      clock.run(at: 300)
      upstream.send(3)
      upstream.send(completion: .finished)
      clock.run(at: 600)
    }
    upstream.throttle(for: 20, scheduler: clock, latest: true).subscribe(subscriber)
    upstream.send(1)
    clock.run(at: 0)
    #expect(subscriber.values == [1, 2])
    clock.run(at: 620)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test func `D8: an array that waits satisfies a request, and nothing else is asked for`() {
    let scheduler = TestScheduler()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(1))
    upstream.collect(.byTimeOrCount(scheduler, 10, 3)).subscribe(subscriber)
    (1...2).forEach(upstream.send)
    scheduler.advance(by: 10)
    upstream.send(3)
    scheduler.advance(by: 10)
    #expect(subscriber.values == [[1, 2]])
    #expect(upstream.requests == [.max(3)])
    subscriber.request(.max(1))
    scheduler.advance(by: 0)
    #expect(subscriber.values == [[1, 2], [3]])
    #expect(upstream.requests == [.max(3)])
    subscriber.request(.max(2))
    #expect(upstream.requests == [.max(3), .max(6)])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `a timeout that was started on an earlier clock is not up with the old one`() {
    let subscriber = TestSubscriber<Int, Broken>()
    clock.set(1000)
    upstream.timeout(10, scheduler: clock).subscribe(subscriber)
    clock.set(0)
    upstream.send(1)
    clock.set(5)
    clock.runOldest()
    clock.run(at: 9)
    #expect(subscriber.events == [.subscription, .value(1)])
    clock.run(at: 10)
    #expect(subscriber.completion == .finished)
    upstream.forgetSubscriptions()
  }

  @Test func `a pause that was started on an earlier clock is not over with the old one`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.debounce(for: 10, scheduler: clock).subscribe(subscriber)
    clock.set(1000)
    upstream.send(0)
    clock.set(0)
    upstream.send(1)
    clock.set(5)
    clock.runOldest()
    clock.run(at: 9)
    #expect(subscriber.values == [])
    clock.run(at: 10)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `throttle and collect keep nothing for longer than an interval`() {
    let throttled = TestSubscriber<Int, Broken>()
    let collected = TestSubscriber<[Int], Broken>()
    clock.set(1000)
    upstream.throttle(for: 10, scheduler: clock, latest: true).subscribe(throttled)
    upstream.collect(.byTime(clock, 10)).subscribe(collected)
    upstream.send(1)
    clock.run(at: 1010)
    clock.set(0)
    upstream.send(2)
    clock.run(at: 10)
    #expect(throttled.values == [1, 2])
    #expect(collected.values == [[1], [2]])
    throttled.cancel()
    collected.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `debounce decides by dates: a value at the moment of the last one's date follows it`()
  {
    for earlier in [[], [(0, 0)]] {
      let scene = TimedScene()
      scene.play(earlier + [(5, 1), (15, 2)])
      let publisher = scene.upstream.debounce(for: 10, scheduler: scene.scheduler)
      #expect(scene.calls(of: publisher) == ["15: 1", "25: 2"])
    }
  }

  @Test func `a first request does not take back the time that a value has started`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.timeout(10, scheduler: clock).subscribe(subscriber)
    clock.afterReading { [clock, upstream] in
      clock.set(7)
      upstream.send(1)
    }
    subscriber.request(.max(1))
    clock.run(at: 16)
    #expect(subscriber.events == [.subscription, .value(1)])
    clock.run(at: 17)
    #expect(subscriber.completion == .finished)
    upstream.forgetSubscriptions()
  }

  @Test func `the intervals of collect begin when the subscription arrives`() {
    let (scheduler, late) = (TestScheduler(), TestScheduler())
    let subscriber = TestSubscriber<[Int], Broken>(scheduler: scheduler)
    upstream.subscribe(on: late).collect(.byTime(scheduler, 10)).subscribe(subscriber)
    scheduler.advance(by: 7)
    late.advance(by: 0)
    scheduler.advance(by: 1)
    upstream.send(1)
    scheduler.advance(by: 20)
    #expect(subscriber.timedEvents.map(\.description) == ["7: subscription", "17: [1]"])
    subscriber.cancel()
    late.advance(by: 0)
    upstream.forgetSubscriptions()
  }

  @Test func `of many values that are due at once, some are delivered before all have moved`() {
    typealias Delayed = Publishers.Delay<TestPublisher<Int, Broken>, TestScheduler>
    typealias Inner = Delayed.Inner
    let left = Notes<Int>()
    let subscriber = TestSubscriber<Int, Broken> { subscriber, value in
      if value == 1, let inner = subscriber.subscription as? Inner {
        left.append(inner.state.withLock { _ in inner.dates.count })
      }
      return .none
    }
    let scheduler = TestScheduler()
    upstream.delay(for: 10, scheduler: scheduler).subscribe(subscriber)
    (1...1000).forEach(upstream.send)
    scheduler.advance(by: 10)
    #expect(left.all == [1000 - 128])
    #expect(subscriber.values == Array(1...1000))
    #expect(scheduler.scheduledCount == 0)
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }
}
