import FanoutCore
import FanoutTestSupport
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TryAsyncMapTests {
  private struct Numbered: Error, Equatable {
    let number: Int
  }

  private struct Fixture {
    let work = HeldWork()
    let arrived = Arrivals()
    let ended = Arrivals()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber: TestSubscriber<Int, any Error>

    /// Work that fails for the given numbers, once the test lets it finish.
    init(failing: Set<Int>, demand: Subscribers.Demand = .unlimited) {
      let (arrived, ended, work) = (arrived, ended, work)
      subscriber = TestSubscriber(
        initialDemand: demand,
        demandFor: { _, _ in
          arrived.arrive()
          return .none
        }, whenCompleted: { _ in ended.arrive() })
      upstream.asyncMap(maxConcurrent: 4) { value in
        let result = await work.work(value)
        if failing.contains(value) { throw Numbered(number: value) }
        return result
      }.subscribe(subscriber)
      (1...4).forEach(upstream.send)
    }

    var error: (any Error)? {
      if case .failure(let error) = subscriber.completion { error } else { nil }
    }
  }

  @Test func `D9: a failure cancels those behind it and comes after the values in front`() async {
    let fixture = Fixture(failing: [3])
    await fixture.work.arrivals.wait(for: 4)
    fixture.work.finish(3)
    // The fourth is given up at once, the first two are not.
    await fixture.work.cancelled.wait()
    #expect(fixture.upstream.cancelCount == 1)
    #expect(fixture.work.cancelled.count == 1)
    #expect(fixture.subscriber.events.count == 1)
    for value in [4, 2, 1] { fixture.work.finish(value) }
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10, 20])
    #expect(fixture.error as? Numbered == Numbered(number: 3))
    #expect(fixture.subscriber.violations == [])
  }

  @Test func `the failure that is first in order counts, whichever comes first`() async {
    let fixture = Fixture(failing: [2, 3])
    await fixture.work.arrivals.wait(for: 4)
    fixture.work.finish(3)
    await fixture.work.cancelled.wait()
    fixture.work.finish(2)
    fixture.work.finish(1)
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10])
    #expect(fixture.error as? Numbered == Numbered(number: 2))
    fixture.work.finish(4)
  }

  @Test func `D9: a failure in front of the upstream's end counts`() async {
    let fixture = Fixture(failing: [4])
    fixture.upstream.send(completion: .finished)
    await fixture.work.arrivals.wait(for: 4)
    for value in 1...4 { fixture.work.finish(value) }
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10, 20, 30])
    #expect(fixture.error as? Numbered == Numbered(number: 4))
    #expect(fixture.upstream.cancelCount == 0)
  }

  @Test func `D8, D9: a failure needs no demand, the values in front of it do`() async {
    let fixture = Fixture(failing: [2], demand: .max(1))
    await fixture.work.arrivals.wait(for: 4)
    fixture.work.finish(2)
    await fixture.work.cancelled.wait(for: 2)
    fixture.work.finish(1)
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10])
    #expect(fixture.error as? Numbered == Numbered(number: 2))
    fixture.work.finish(3)
    fixture.work.finish(4)
  }

  @Test func `the upstream's own failure is passed on, behind the results`() async {
    let fixture = Fixture(failing: [])
    fixture.upstream.send(completion: .failure(Broken()))
    (1...4).forEach(fixture.work.finish)
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10, 20, 30, 40])
    #expect(fixture.error is Broken)
  }
}
