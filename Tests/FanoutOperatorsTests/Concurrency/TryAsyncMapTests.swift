import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)))
struct TryAsyncMapTests {
  /// An error with a reference that only it holds.
  private struct Noisy: Error {
    let token: Token
  }

  fileprivate struct Fixture {
    let work = HeldWork()
    let arrived = Arrivals()
    let ended = Arrivals()
    let upstream: TestPublisher<Int, Broken>
    let subscriber: TestSubscriber<Int, any Error>

    /// Work that fails for the given numbers, once the test lets it finish.
    init(
      failing: Set<Int>, demand: Subscribers.Demand = .unlimited, ignoresCancel: Bool = false
    ) {
      upstream = TestPublisher(ignoresCancel: ignoresCancel)
      let (arrived, ended, work) = (arrived, ended, work)
      subscriber = TestSubscriber(
        initialDemand: demand,
        demandFor: { _, _ in
          arrived.arrive()
          return .none
        }, whenCompleted: { _ in ended.arrive() })
      upstream.asyncMap(maxConcurrent: 4) { value in
        let result = await work.work(value)
        if failing.contains(value) { throw NumberedError(value) }
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
    #expect(fixture.error as? NumberedError == NumberedError(3))
    #expect(fixture.subscriber.violations == [])
  }

  @Test func `D11: a failure that another replaces is released outside of the lock`() async {
    let work = HeldWork()
    let ended = Arrivals()
    let released = Arrivals()
    let upstream = TestPublisher<Int, Noisy>()
    let subscriber = TestSubscriber<Int, any Error>(whenCompleted: { _ in ended.arrive() })
    upstream.asyncMap(maxConcurrent: 2) { value in
      _ = await work.work(value)
      throw NumberedError(value)
    }.subscribe(subscriber)
    upstream.send(1)
    await work.arrivals.wait(for: 1)
    // Its end requests more, which takes the lock of the queue.
    upstream.send(
      completion: .failure(
        Noisy(
          token: Token {
            subscriber.request(.max(1))
            released.arrive()
          })))
    #expect(released.count == 0)
    work.finish(1)
    await ended.wait()
    await released.wait()
    #expect(subscriber.violations == [])
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
    #expect(fixture.error as? NumberedError == NumberedError(2))
    fixture.work.finish(4)
  }

  @Test func `D9: a failure in front of the upstream's end counts`() async {
    let fixture = Fixture(failing: [4])
    fixture.upstream.send(completion: .finished)
    await fixture.work.arrivals.wait(for: 4)
    for value in 1...4 { fixture.work.finish(value) }
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10, 20, 30])
    #expect(fixture.error as? NumberedError == NumberedError(4))
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
    #expect(fixture.error as? NumberedError == NumberedError(2))
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

  @Test func `Q4: an error takes the place of the upstream's failure, which came before it`() async
  {
    let fixture = Fixture(failing: [2])
    fixture.upstream.send(completion: .failure(Broken()))
    await fixture.work.arrivals.wait(for: 4)
    fixture.work.finish(2)
    await fixture.work.cancelled.wait(for: 2)
    #expect(fixture.ended.count == 0)
    fixture.work.finish(1)
    await fixture.ended.wait()
    #expect(fixture.subscriber.values == [10])
    #expect(fixture.error as? NumberedError == NumberedError(2))
    #expect(fixture.subscriber.violations == [])
    (3...4).forEach(fixture.work.finish)
  }

  @Test func `Q4: what comes from the upstream after an error starts no task and is no end`() async
  {
    let fixture = Fixture(failing: [2], ignoresCancel: true)
    await fixture.work.arrivals.wait(for: 4)
    fixture.work.finish(2)
    await fixture.work.cancelled.wait(for: 2)
    fixture.upstream.send(5)
    fixture.upstream.send(completion: .failure(Broken()))
    fixture.work.finish(1)
    await fixture.ended.wait()
    (3...4).forEach(fixture.work.finish)
    await fixture.work.returned.wait(for: 4)
    #expect(fixture.work.all == [1, 2, 3, 4])
    #expect(fixture.subscriber.values == [10])
    #expect(fixture.error as? NumberedError == NumberedError(2))
    #expect(fixture.upstream.cancelCount == 1)
  }

  @Test(arguments: [true, false])
  func `Q4: after a cancel neither an error that waits nor one that comes is the end`(
    waits: Bool
  ) async {
    let fixture = Fixture(failing: [2, 3])
    await fixture.work.arrivals.wait(for: 4)
    if waits {
      fixture.work.finish(3)
      await fixture.work.cancelled.wait(for: 1)
    }
    fixture.subscriber.cancel()
    // Those behind the error were cancelled before, all others are now.
    #expect(fixture.work.cancelled.count == (waits ? 3 : 4))
    (1...4).forEach(fixture.work.finish)
    await fixture.work.returned.wait(for: 4)
    #expect(fixture.subscriber.events.count == 1)
    #expect(fixture.subscriber.violations == [])
    #expect(fixture.upstream.cancelCount == 1)
  }
}

@Suite(.timeLimit(.minutes(30)))
struct TryAsyncMapRaceTests {
  @Test(arguments: [nil, 1, 2] as [Int?])
  func `Q1 Q4: the last results, an error and the upstream's failure meet on four threads`(
    failing: Int?
  ) async {
    for _ in 0..<100 {
      let fixture = TryAsyncMapTests.Fixture(failing: failing.map { [$0] } ?? [])
      await fixture.work.arrivals.wait(for: 4)
      let (work, upstream) = (fixture.work, fixture.upstream)
      let raced = race(
        { work.finish(1) }, { work.finish(2) },
        {
          work.finish(3)
          work.finish(4)
        }, { upstream.send(completion: .failure(Broken())) })
      #expect(raced)
      await fixture.ended.wait()
      #expect(fixture.subscriber.values == [10, 20, 30, 40].prefix((failing ?? 5) - 1).map { $0 })
      if let failing {
        #expect(fixture.error as? NumberedError == NumberedError(failing))
      } else {
        #expect(fixture.error is Broken)
      }
      #expect(fixture.subscriber.violations == [])
    }
  }

  @Test func `Q1 Q4: of two errors the earlier one counts, in whatever order the tasks end`() async
  {
    for round in 0..<200 {
      let (gone, ended) = (Arrivals(), Arrivals())
      let failing = [round % 37 + 2, round % 37 + 4]
      let subscriber = TestSubscriber<Int, any Error>(whenCompleted: { _ in ended.arrive() })
      (1...60).publisher.asyncMap(maxConcurrent: 4) {
        [token = Token(whenGone: { gone.arrive() })] value async throws in
        for _ in 0..<(value * (round + 1)) % 4 { await Task.yield() }
        if failing.contains(value) { throw NumberedError(value) }
        return withExtendedLifetime(token) { value }
      }.subscribe(subscriber)
      await ended.wait()
      await gone.wait()
      #expect(subscriber.values == Array(1..<failing[0]))
      var error: (any Error)?
      if case .failure(let failure) = subscriber.completion { error = failure }
      #expect(error as? NumberedError == NumberedError(failing[0]))
      #expect(subscriber.violations == [])
    }
  }
}
