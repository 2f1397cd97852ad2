import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

struct RetryAfterTests {
  private let clock = TestScheduler()
  private let upstream = TestPublisher<Int, Broken>()
  private let backoff = RetryBackoff.exponential(from: .seconds(1), to: .seconds(4), jitter: 0)

  private func subscriber(
    attempts: Int? = nil, demand: Subscribers.Demand = .unlimited
  ) -> TestSubscriber<Int, Broken> {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: demand)
    upstream.retry(backoff, attempts: attempts, scheduler: clock).subscribe(subscriber)
    return subscriber
  }

  private func fail() { upstream.subscriptions.last?.send(completion: .failure(Broken())) }

  @Test func `pauses grow, and a value begins a new row`() {
    let subscriber = subscriber()
    var count = 1
    let attempts = [
      (1, false), (2, false), (4, false), (4, false), (1, true), (2, false), (1, true),
    ]
    for (pause, hasValue) in attempts {
      if hasValue { upstream.subscriptions.last?.send(count) }
      fail()
      clock.advance(by: .milliseconds(pause * 1_000 - 1))
      #expect(upstream.subscriptionCount == count)
      clock.advance(by: .milliseconds(1))
      count += 1
      #expect(upstream.subscriptionCount == count)
    }
    #expect(subscriber.values.count == 2 && subscriber.completion == nil)
    subscriber.cancel()
    #expect(upstream.cancelCount == 1 && clock.scheduledCount == 0)
  }

  @Test func `after the last attempt the failure comes, and a finish is the end`() {
    let failing = subscriber(attempts: 2)
    for pause in [1, 2, 4] {
      fail()
      clock.advance(by: .seconds(pause))
    }
    #expect(failing.completion == .failure(Broken()) && upstream.subscriptionCount == 3)
    let finishing = subscriber(attempts: 0)
    upstream.send(completion: .finished)
    #expect(finishing.completion == .finished && clock.scheduledCount == 0)
  }

  @Test func `without a limit of attempts there is no failure, and the type says so`() {
    let subscriber = TestSubscriber<Int, Never>()
    let retried:
      Publishers.AssertNoFailure<
        Publishers.RetryAfter<TestPublisher<Int, Broken>, ClockScheduler<TestScheduler>>
      > = upstream.retry(backoff, clock: clock)
    retried.subscribe(subscriber)
    for pause in [1, 2, 4, 4, 4] {
      fail()
      #expect(subscriber.completion == nil)
      clock.advance(by: .seconds(pause))
    }
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(upstream.subscriptionCount == 6)
    #expect(subscriber.values == [1] && subscriber.completion == .finished)
  }

  @Test func `a finish counts as a failure, and that of the last attempt is delivered`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.retry(backoff, attempts: 2, alsoAfterFinish: true, clock: clock).subscribe(subscriber)
    for (number, pause) in [1, 1, 2].enumerated() {
      // A value begins a new row, so that the second pause is the first one again.
      if number < 2 { upstream.subscriptions.last?.send(number) }
      upstream.subscriptions.last?.send(completion: number == 1 ? .failure(Broken()) : .finished)
      #expect(subscriber.completion == nil)
      clock.advance(by: .seconds(pause))
    }
    #expect(upstream.subscriptionCount == 4 && subscriber.values == [0, 1])
    upstream.subscriptions.last?.send(completion: .finished)
    #expect(subscriber.completion == .finished && clock.scheduledCount == 0)
  }

  @Test func `a finish that counts as a failure never ends without a limit`() {
    let subscriber = TestSubscriber<Int, Never>()
    Just(1).retry(.constant(.seconds(1)), alsoAfterFinish: true, clock: clock).subscribe(subscriber)
    clock.advance(by: .seconds(3))
    #expect(subscriber.values == [1, 1, 1, 1] && subscriber.completion == nil)
    subscriber.cancel()
    #expect(clock.scheduledCount == 0)
  }

  @Test func `the clock is that of the system by default, with a limit and without`() {
    let (limited, endless) = (TestSubscriber<Int, Broken>(), TestSubscriber<Int, Never>())
    let failing = Fail<Int, Broken>(error: Broken())
    failing.retry(.constant(.zero), attempts: 3).subscribe(limited)
    #expect(limited.completion == .failure(Broken()))
    failing.retry(.constant(.seconds(Int64.max))).subscribe(endless)
    #expect(endless.completion == nil)
    endless.cancel()
  }

  @Test func `D8: what was requested and not delivered is requested again`() {
    let subscriber = subscriber(demand: .max(3))
    upstream.send(1)
    fail()
    clock.advance(by: .seconds(1))
    #expect(upstream.subscriptions.last?.requests == [.max(2)])
    upstream.send(2)
    subscriber.request(.max(1))
    fail()
    clock.advance(by: .seconds(1))
    #expect(upstream.subscriptions.last?.requests == [.max(2)])
    for value in 3...4 { upstream.send(value) }
    #expect(subscriber.values == [1, 2, 3, 4])
    subscriber.cancel()
  }

  @Test func `D7: a cancel ends a pause`() {
    let subscriber = subscriber()
    fail()
    subscriber.cancel()
    #expect(clock.scheduledCount == 0)
    clock.advance(by: .seconds(10))
    #expect(upstream.subscriptionCount == 1 && subscriber.completion == nil)
  }

  @Test func `D15: a hundred thousand failures at once, without a pause, grow nothing`() {
    let attempts = Shared(0)
    let source = Deferred { () -> Fail<Int, Broken> in
      _ = attempts.increment()
      return Fail(error: Broken())
    }
    let subscriber = TestSubscriber<Int, Broken>()
    source.retry(.constant(.zero), attempts: 100_000, scheduler: clock).subscribe(subscriber)
    #expect(attempts.value == 100_001 && subscriber.completion == .failure(Broken()))
  }

  @Test(arguments: [Duration.seconds(1), .nanoseconds(1) / 10, .seconds(Int64.max)])
  func `a scheduler without time makes no pause`(pause: Duration) {
    let subscriber = TestSubscriber<Int, Broken>()
    Fail<Int, Broken>(error: Broken())
      .retry(.constant(pause), attempts: 2, scheduler: ImmediateScheduler.shared)
      .subscribe(subscriber)
    #expect(subscriber.completion == .failure(Broken()))
  }

  @Test func `a pause is rounded up, and one that is too long is the longest`() {
    for pause in [Duration.nanoseconds(1) / 10, .seconds(Int64.max) + .milliseconds(900)] {
      let subscriber = TestSubscriber<Int, Never>()
      Fail<Int, Broken>(error: Broken()).retry(
        .constant(pause), scheduler: ContinuousClock().scheduler
      )
      .subscribe(subscriber)
      subscriber.cancel()
      #expect(subscriber.completion == nil)
    }
  }

  @Test func `chance makes a pause shorter, by its part at most`() {
    let backoff = RetryBackoff.exponential(from: .seconds(8), to: .seconds(8), jitter: 0.5)
    let pauses = (0..<1_000).map { backoff.pause(before: $0) }
    #expect(pauses.allSatisfy { (.seconds(4)...(.seconds(8))).contains($0) })
    #expect(Set(pauses).count > 100)
    let far = RetryBackoff.exponential(from: .nanoseconds(1), to: .seconds(1 << 60), jitter: 0)
    #expect(far.pause(before: .max) == .seconds(1 << 60))
  }

  @Test(arguments: ["first", "greatest", "factor", "jitter", "constant", "attempts"])
  func `pauses that cannot be trap`(form: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [form] in
      let second = Duration.seconds(1)
      switch form {
      case "first": _ = RetryBackoff.exponential(from: .zero, to: second)
      case "greatest": _ = RetryBackoff.exponential(from: second, to: .zero)
      case "factor": _ = RetryBackoff.exponential(from: second, to: second, factor: 0.5)
      case "jitter": _ = RetryBackoff.exponential(from: second, to: second, jitter: 2)
      case "constant": _ = RetryBackoff.constant(.seconds(-1))
      default:
        _ = Empty<Int, Never>().retry(.constant(.zero), attempts: -1, scheduler: TestScheduler())
      }
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("pass"))
  }

  @Test func `O2: a retry releases its subscriber at cancel, also in a pause`() {
    expectReleased(after: .cancel) { scope in
      let token = scope.track(Token(), "closure")
      let clock = scope.hold(TestScheduler(), "clock")
      return Fail<Int, Broken>(error: Broken()).retry(.constant(.seconds(1)), scheduler: clock)
        .sink(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in withExtendedLifetime(token) {} })
    }
  }
}

private final class Token: Sendable {}
