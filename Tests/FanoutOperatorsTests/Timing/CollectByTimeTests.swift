import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct CollectByTimeTests {
  private typealias Collected = Publishers.CollectByTime<
    TestPublisher<Int, Broken>, TestScheduler
  >
  private let scene = TimedScene()
  private var byTime: Collected { scene.upstream.collect(.byTime(scene.scheduler, 10)) }
  private var byTimeOrCount: Collected {
    scene.upstream.collect(.byTimeOrCount(scene.scheduler, 10, 3))
  }

  @Test func `the values of each interval come at its end, and no array is empty`() {
    scene.play([(1, 1), (4, 2), (11, 3), (55, 4), (59, 5)])
    #expect(scene.calls(of: byTime) == ["10: [1, 2]", "20: [3]", "60: [4, 5]"])
  }

  @Test func `the intervals begin with the subscription`() {
    scene.scheduler.advance(by: 7)
    scene.play([(8, 1), (16, 2), (17, 3), (107, 4), (1_000_007, 5)])
    // 3 comes in time, because its action is older than that of the interval.
    #expect(
      scene.calls(of: byTime) == ["17: [1, 2, 3]", "117: [4]", "1000017: [5]"])
  }

  @Test func `an array with its number of values comes at once, and the intervals go on`() {
    scene.play([(1, 1), (2, 2), (3, 3), (4, 4), (12, 5), (13, 6), (14, 7), (25, 8)])
    #expect(
      scene.calls(of: byTimeOrCount) == ["3: [1, 2, 3]", "10: [4]", "14: [5, 6, 7]", "30: [8]"])
  }

  @Test func `with a count of one every value is an array`() {
    scene.play([(1, 1), (1, 2), (4, 3)], end: (5, .finished))
    let publisher = scene.upstream.collect(.byTimeOrCount(scene.scheduler, 10, 1))
    #expect(scene.calls(of: publisher) == ["1: [1]", "1: [2]", "4: [3]", "5: finished"])
  }

  @Test func `D9: the end comes behind the rest, and a failure too`() {
    for end in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
      let scene = TimedScene()
      scene.play([(1, 1), (4, 2)], end: (6, end))
      let publisher = scene.upstream.collect(.byTime(scene.scheduler, 10))
      let event = RecordedEvent<[Int], Broken>.completion(end)
      #expect(scene.calls(of: publisher) == ["6: [1, 2]", "6: \(event)"])
    }
    scene.play([], end: (6, .finished))
    #expect(scene.calls(of: byTime, demand: .none) == ["6: finished"])
  }

  @Test func `D8: by time, everything is requested with the first request; arrays wait`() {
    scene.play([(1, 1), (4, 2), (11, 3), (21, 4)], end: (35, .finished))
    let subscriber = TestSubscriber<[Int], Broken>(
      initialDemand: .none, scheduler: scene.scheduler)
    byTime.subscribe(subscriber)
    #expect(scene.upstream.requests == [])
    subscriber.request(.max(1))
    #expect(scene.upstream.requests == [.unlimited])
    scene.scheduler.advance(by: 32)
    #expect(subscriber.values == [[1, 2]])
    subscriber.request(.max(1))
    scene.scheduler.advance(by: 8)
    #expect(subscriber.values == [[1, 2], [3]])
    subscriber.request(.max(1))
    scene.scheduler.advance(by: 0)
    #expect(subscriber.values == [[1, 2], [3], [4]])
    #expect(subscriber.completion == .finished)
    #expect(scene.upstream.requests == [.unlimited])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: by count, as many values are requested as the requested arrays can hold`() {
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(2)) { _, value in
      value == [4] ? .max(1) : .none
    }
    byTimeOrCount.subscribe(subscriber)
    #expect(scene.upstream.requests == [.max(6)])
    (1...4).forEach(scene.upstream.send)
    scene.scheduler.advance(by: 10)
    #expect(subscriber.values == [[1, 2, 3], [4]])
    // Two of the six have not come; a third array needs one more.
    #expect(scene.upstream.requests == [.max(6), .max(1)])
    scene.upstream.send(5)
    subscriber.request(.max(1))
    #expect(scene.upstream.requests == [.max(6), .max(1), .max(3)])
    subscriber.request(.unlimited)
    #expect(scene.upstream.requests == [.max(6), .max(1), .max(3), .unlimited])
    subscriber.request(.max(1))
    #expect(scene.upstream.requests.count == 4)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: requests that are too large to multiply ask for everything`() {
    let publisher = scene.upstream.collect(.byTimeOrCount(scene.scheduler, 10, .max))
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(3))
    publisher.subscribe(subscriber)
    #expect(scene.upstream.requests == [.unlimited])
    subscriber.cancel()
  }

  @Test func `nothing is scheduled while no value comes, and one action for those that do`() {
    let subscriber = TestSubscriber<[Int], Broken>()
    byTime.subscribe(subscriber)
    #expect(scene.scheduler.scheduledCount == 0)
    for value in 1...50 { scene.upstream.send(value) }
    #expect(scene.scheduler.scheduledCount == 1)
    scene.scheduler.advance(by: 10)
    #expect(scene.scheduler.scheduledCount == 0)
    #expect(subscriber.values == [Array(1...50)])
    subscriber.cancel()
  }

  @Test func `D3: a value that is sent inside a delivery belongs to the next array`() {
    let (scheduler, upstream) = (scene.scheduler, scene.upstream)
    let subscriber = TestSubscriber<[Int], Broken>(scheduler: scheduler) { _, values in
      if values[0] < 3 { upstream.send(values[0] + 1) }
      return .none
    }
    byTime.subscribe(subscriber)
    upstream.send(1)
    scheduler.advance(by: 100)
    let calls = subscriber.timedEvents.dropFirst().map(\.description)
    #expect(calls == ["10: [1]", "20: [2]", "30: [3]"])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `without time every value is an array; so it is with an interval of zero`() {
    let subscriber = TestSubscriber<[Int], Never>()
    (1...3).publisher.collect(.byTime(ImmediateScheduler.shared, .seconds(1)))
      .subscribe(subscriber)
    #expect(subscriber.values == [[1], [2], [3]])
    #expect(subscriber.completion == .finished)
    scene.play([(1, 1), (4, 2)])
    let publisher = scene.upstream.collect(.byTime(scene.scheduler, 0))
    #expect(scene.calls(of: publisher) == ["1: [1]", "4: [2]"])
  }
}
