import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct TimeoutTests {
  private let scene = TimedScene()

  private func timed(
    _ customError: (@Sendable () -> Broken)? = { Broken() }
  ) -> Publishers.Timeout<TestPublisher<Int, Broken>, TestScheduler> {
    scene.upstream.timeout(10, scheduler: scene.scheduler, customError: customError)
  }

  @Test func `values pass, and a pause that is too long ends with the failure`() {
    scene.play([(4, 1), (14, 2), (20, 3), (31, 4)])
    let calls = scene.calls(of: timed())
    #expect(calls == ["4: 1", "14: 2", "20: 3", "30: failure(Broken())"])
    #expect(scene.upstream.cancelCount == 1)
  }

  @Test func `without a failure it finishes`() {
    #expect(scene.calls(of: timed(nil)) == ["10: finished"])
    #expect(scene.upstream.cancelCount == 1)
  }

  @Test func `an end in time passes, and the upstream is not cancelled`() {
    for end in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
      let scene = TimedScene()
      scene.play([(4, 1)], end: (14, end))
      let publisher = scene.upstream.timeout(10, scheduler: scene.scheduler)
      #expect(
        scene.calls(of: publisher) == ["4: 1", "14: \(RecordedEvent<Int, Broken>.completion(end))"])
      #expect(scene.upstream.cancelCount == 0)
    }
  }

  @Test func `the time begins again with the first request, and only with that`() {
    let requests: [(Int, Subscribers.Demand)] = [(6, .max(1)), (12, .max(1))]
    #expect(scene.calls(of: timed(nil), demand: .none, requests: requests) == ["16: finished"])
    #expect(scene.upstream.requests == [.max(1), .max(1)])
  }

  @Test func `D8: demand goes up as it is`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2)) { _, value in
      value == 1 ? .max(3) : .none
    }
    timed().subscribe(subscriber)
    scene.upstream.send(1)
    scene.scheduler.advance(by: 0)
    subscriber.request(.max(1))
    #expect(scene.upstream.requests == [.max(2), .max(3), .max(1)])
    subscriber.cancel()
  }

  @Test func `D8, D9: the end of the timeout waits behind values that are not requested`() {
    let makes = Shared(0)
    scene.play([(0, 1), (1, 2)])
    let publisher = timed {
      makes.increment()
      return Broken()
    }
    let calls = scene.calls(of: publisher, demand: .max(1), requests: [(40, .max(1))])
    #expect(calls == ["0: 1", "40: 2", "40: failure(Broken())"])
    #expect(makes.value == 1)
  }

  @Test func `however many values come, one action is scheduled for the timeout`() {
    let subscriber = TestSubscriber<Int, Broken>()
    timed().subscribe(subscriber)
    for value in 1...100 {
      scene.upstream.send(value)
      scene.scheduler.advance(by: 3)
      #expect(scene.scheduler.scheduledCount == 1)
    }
    #expect(subscriber.values == Array(1...100))
    subscriber.cancel()
  }

  @Test func `D7: a cancel inside the closure that makes the failure is final`() {
    let held = Shared<TestSubscriber<Int, Broken>?>(nil)
    let subscriber = TestSubscriber<Int, Broken>()
    timed {
      held.value?.cancel()
      return Broken()
    }.subscribe(subscriber)
    held.value = subscriber
    scene.scheduler.advance(by: 50)
    #expect(subscriber.events == [.subscription])
    #expect(subscriber.violations == [])
    held.value = nil
  }

  @Test func `D7: a value that the upstream sends while it is cancelled does not count`() {
    let upstream = TestPublisher<Int, Broken>(
      ignoresCancel: true, whenCancelled: { $0.send(1) })
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.timeout(10, scheduler: scene.scheduler).subscribe(subscriber)
    scene.scheduler.advance(by: 50)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test func `D3: a value that is sent inside a delivery follows it, and begins the time again`() {
    let (scheduler, upstream) = (scene.scheduler, scene.upstream)
    let subscriber = TestSubscriber<Int, Broken>(scheduler: scheduler) { _, value in
      if value < 3 { upstream.send(value + 1) }
      return .none
    }
    timed(nil).subscribe(subscriber)
    scheduler.advance(by: 5)
    upstream.send(1)
    scheduler.advance(by: 100)
    let calls = subscriber.timedEvents.dropFirst().map(\.description)
    #expect(calls == ["5: 1", "5: 2", "5: 3", "15: finished"])
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test func `without time the time is up at once, after the subscription`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...5).publisher.timeout(.seconds(1), scheduler: ImmediateScheduler.shared)
      .subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
    #expect(subscriber.violations == [])
  }
}
