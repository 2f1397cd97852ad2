import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct ThrottleTests {
  private let scene = TimedScene()

  private func throttled(
    latest: Bool = true
  ) -> Publishers.Throttle<TestPublisher<Int, Broken>, TestScheduler> {
    scene.upstream.throttle(for: 10, scheduler: scene.scheduler, latest: latest)
  }

  @Test func `the first value comes at once, then the newest or the first of each interval`() {
    let values = [(3, 1), (4, 2), (5, 3), (12, 4), (14, 5), (40, 6), (41, 7), (49, 8)]
    scene.play(values)
    #expect(scene.calls(of: throttled()) == ["3: 1", "13: 4", "23: 5", "40: 6", "50: 8"])
    let other = TimedScene()
    other.play(values)
    let first = other.upstream.throttle(for: 10, scheduler: other.scheduler, latest: false)
    #expect(other.calls(of: first) == ["3: 1", "13: 2", "23: 5", "40: 6", "50: 7"])
  }

  @Test func `values that are slower than the interval all pass, at once`() {
    scene.play([(0, 1), (10, 2), (25, 3)], end: (26, .finished))
    #expect(scene.calls(of: throttled()) == ["0: 1", "10: 2", "25: 3", "26: finished"])
  }

  @Test func `D9: the end comes behind a value that waits, at the end of its interval`() {
    for end in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
      let scene = TimedScene()
      scene.play([(0, 1), (4, 2)], end: (6, end))
      let publisher = scene.upstream.throttle(for: 10, scheduler: scene.scheduler, latest: true)
      let event = RecordedEvent<Int, Broken>.completion(end)
      #expect(scene.calls(of: publisher) == ["0: 1", "10: 2", "10: \(event)"])
    }
  }

  @Test func `D8: what is due and not requested waits, and newer values replace it`() {
    let values = [(0, 1), (5, 2), (30, 3)]
    scene.play(values, end: (60, .finished))
    let requests: [(Int, Subscribers.Demand)] = [(40, .max(1)), (70, .max(1))]
    let calls = scene.calls(of: throttled(), demand: .none, requests: requests)
    #expect(calls == ["40: 3", "60: finished"])
    #expect(scene.upstream.requests == [.unlimited])

    let other = TimedScene()
    other.play(values, end: (60, .finished))
    let first = other.upstream.throttle(for: 10, scheduler: other.scheduler, latest: false)
    #expect(other.calls(of: first, demand: .none, requests: requests) == ["40: 1", "60: finished"])
  }

  @Test func `an interval begins with the delivery, also when that was late`() {
    scene.play([(0, 1), (41, 2), (45, 3)])
    let calls = scene.calls(
      of: throttled(), demand: .none, requests: [(40, .max(1)), (41, .unlimited)])
    #expect(calls == ["40: 1", "50: 3"])
  }

  @Test func `D3: a value that is sent inside a delivery waits for the end of the interval`() {
    let (scheduler, upstream) = (scene.scheduler, scene.upstream)
    let subscriber = TestSubscriber<Int, Broken>(scheduler: scheduler) { _, value in
      if value < 3 { upstream.send(value + 1) }
      return .none
    }
    throttled().subscribe(subscriber)
    upstream.send(1)
    scheduler.advance(by: 100)
    #expect(
      subscriber.timedEvents.map(\.description) == ["0: subscription", "0: 1", "10: 2", "20: 3"])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `with an interval of zero, and without time, every value passes`() {
    scene.play([(0, 1), (0, 2), (4, 3)])
    let publisher = scene.upstream.throttle(for: 0, scheduler: scene.scheduler, latest: false)
    // Both came before the scheduler had an opportunity.
    #expect(scene.calls(of: publisher) == ["0: 1", "4: 3"])

    let subscriber = TestSubscriber<Int, Never>()
    (1...5).publisher.throttle(
      for: .seconds(1), scheduler: ImmediateScheduler.shared, latest: false
    )
    .subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }
}
