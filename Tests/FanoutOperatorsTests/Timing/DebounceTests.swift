import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct DebounceTests {
  private let scene = TimedScene()
  private var debounced: Publishers.Debounce<TestPublisher<Int, Broken>, TestScheduler> {
    scene.upstream.debounce(for: 10, scheduler: scene.scheduler)
  }

  @Test func `the last value of each burst is delivered when the pause is over`() {
    scene.play([(0, 1), (4, 2), (13, 3), (30, 4), (39, 5), (60, 6)])
    #expect(scene.calls(of: debounced) == ["23: 3", "49: 5", "70: 6"])
  }

  @Test func `a value at the moment at which the pause is over replaces nothing`() {
    // Its action is older than that of the pause, but dates decide.
    scene.play([(0, 1), (10, 2)])
    #expect(scene.calls(of: debounced) == ["10: 1", "20: 2"])
  }

  @Test func `D9: the end ends the pause, and comes behind the last value`() {
    scene.play([(0, 1), (20, 2), (25, 3)], end: (26, .finished))
    #expect(scene.calls(of: debounced) == ["10: 1", "26: 3", "26: finished"])
  }

  @Test func `D9, Q2: a failure does not overtake the last value`() {
    scene.play([(0, 1)], end: (3, .failure(Broken())))
    #expect(scene.calls(of: debounced) == ["3: 1", "3: failure(Broken())"])
  }

  @Test func `an end with no value before it comes at the next opportunity`() {
    scene.play([], end: (5, .finished))
    #expect(scene.calls(of: debounced, demand: .none) == ["5: finished"])
  }

  @Test func `D8: the upstream is asked for everything, and what is not requested waits`() {
    scene.play([(0, 1), (20, 2), (60, 3)], end: (80, .finished))
    let calls = scene.calls(
      of: debounced, demand: .none, requests: [(35, .max(1)), (50, .max(1)), (90, .none)])
    // 1 was replaced by 2.
    #expect(calls == ["35: 2", "70: 3", "80: finished"])
    #expect(scene.upstream.requests == [.unlimited])
  }

  @Test func `D8, D9: the end waits behind a value that is not requested`() {
    scene.play([(0, 1), (20, 2)], end: (25, .finished))
    let calls = scene.calls(of: debounced, demand: .none, requests: [(50, .max(1))])
    #expect(calls == ["50: 2", "50: finished"])
  }

  @Test func `however many values come, one action is scheduled`() {
    let subscriber = TestSubscriber<Int, Broken>()
    debounced.subscribe(subscriber)
    for value in 1...100 {
      scene.upstream.send(value)
      scene.scheduler.advance(by: 3)
      #expect(scene.scheduler.scheduledCount == 1)
    }
    scene.scheduler.advance(by: 10)
    #expect(subscriber.values == [100])
    #expect(scene.scheduler.scheduledCount == 0)
    subscriber.cancel()
  }

  @Test func `D3: a value that is sent inside a delivery begins a pause of its own`() {
    let (scheduler, upstream) = (scene.scheduler, scene.upstream)
    let subscriber = TestSubscriber<Int, Broken>(scheduler: scheduler) { _, value in
      if value < 3 { upstream.send(value + 1) }
      return .none
    }
    debounced.subscribe(subscriber)
    upstream.send(1)
    scheduler.advance(by: 100)
    #expect(
      subscriber.timedEvents.map(\.description) == ["0: subscription", "10: 1", "20: 2", "30: 3"])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    upstream.forgetSubscriptions()
  }

  @Test func `with a pause of zero, a value is delivered at the next opportunity`() {
    scene.play([(0, 1), (4, 2)])
    let publisher = scene.upstream.debounce(for: 0, scheduler: scene.scheduler)
    #expect(scene.calls(of: publisher) == ["0: 1", "4: 2"])
  }

  @Test func `without time every value is delivered, within the send`() {
    let subject = PassthroughSubject<Int, Never>()
    let (immediate, frozen) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    subject.debounce(for: .seconds(1), scheduler: ImmediateScheduler.shared).subscribe(immediate)
    subject.debounce(for: 5, scheduler: FrozenScheduler()).subscribe(frozen)
    for value in 1...3 {
      subject.send(value)
      for subscriber in [immediate, frozen] { #expect(subscriber.values == Array(1...value)) }
    }
    subject.send(completion: .finished)
    for subscriber in [immediate, frozen] {
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D14: a synchronous upstream is debounced to its last value`() {
    let calls = scene.calls(of: (1...5).publisher.debounce(for: 10, scheduler: scene.scheduler))
    #expect(calls == ["0: 5", "0: finished"])
    let subscriber = TestSubscriber<Int, Never>()
    (1...5).publisher.debounce(for: 10, scheduler: ImmediateScheduler.shared).subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(subscriber.completion == .finished)
  }
}
