import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that continue with another publisher: `append`, `prepend`, `retry`, `tryCatch`.
@Suite(.noLeaks) struct ResumingTests {
  private typealias Source = TestPublisher<Int, Broken>

  @Test func `append: values of a publisher, a sequence and a list`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...2).publisher.append((3...4).publisher).append(5...6).append(7, 8).subscribe(subscriber)
    #expect(subscriber.values == Array(1...8))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `prepend: values of a publisher, a sequence and a list`() {
    let subscriber = TestSubscriber<Int, Never>()
    (7...8).publisher.prepend((5...6).publisher).prepend(3...4).prepend(1, 2).subscribe(subscriber)
    #expect(subscriber.values == Array(1...8))
    #expect(subscriber.completion == .finished)
  }

  @Test func `D8: the second is asked for what the first has not delivered`() {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(3))
    a.append(b).subscribe(subscriber)
    a.send(1)
    #expect(b.subscriptionCount == 0)
    a.send(completion: .finished)
    #expect(a.cancelCount == 0)
    #expect(b.requests == [.max(2)])
    subscriber.request(.max(1))
    #expect(b.requests == [.max(2), .max(1)])
    b.send(2)
    b.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: one by one through many parts`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    [1].publisher.unspecialized.append(2, 3).append([Int]()).append(4).prepend(0).subscribe(
      subscriber)
    for count in 1...5 {
      subscriber.request(.max(1))
      #expect(subscriber.values == Array(0..<count))
    }
    #expect(subscriber.completion == .finished)
  }

  @Test func `D9: a failure of the first ends, and the second is never subscribed to`() {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>()
    a.append(b).subscribe(subscriber)
    a.send(completion: .failure(Broken()))
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
    #expect(b.subscriptionCount == 0)
  }

  @Test func `D7: a cancel stops whichever delivers`() {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>()
    a.append(b).subscribe(subscriber)
    a.send(completion: .finished)
    subscriber.cancel()
    #expect(b.cancelCount == 1)
    let early = TestSubscriber<Int, Broken>()
    a.append(b).subscribe(early)
    early.cancel()
    #expect(a.cancelCount == 1)
    #expect(b.subscriptionCount == 1)
  }

  @Test func `D15: a recursion of append does not grow the stack`() {
    @Sendable func numbers(from number: Int) -> AnyPublisher<Int, Never> {
      guard number < 20_000 else { return Empty().eraseToAnyPublisher() }
      return Just(number).append(Deferred { numbers(from: number + 1) }).eraseToAnyPublisher()
    }
    let subscriber = TestSubscriber<Int, Never>()
    #expect(finishes(stackSize: 512 * 1024) { numbers(from: 0).subscribe(subscriber) })
    #expect(subscriber.values == Array(0..<20_000))
    #expect(subscriber.completion == .finished)
  }

  @Test func `retry: subscribes again as often as it may, with what is left of the demand`() {
    let source = Source()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(5))
    source.retry(2).subscribe(subscriber)
    source.send(1)
    source.send(completion: .failure(Broken()))
    #expect(source.subscriptionCount == 2)
    source.send(2)
    source.send(completion: .failure(Broken()))
    #expect(source.requests == [.max(5), .max(4), .max(3)])
    #expect(subscriber.completion == nil)
    source.send(completion: .failure(Broken()))
    #expect(source.subscriptionCount == 3)
    #expect(
      subscriber.events == [
        .subscription, .value(1), .value(2), .completion(.failure(Broken())),
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `retry: none, and after a finish none is needed`() {
    let source = Source()
    let subscriber = TestSubscriber<Int, Broken>()
    source.retry(0).subscribe(subscriber)
    source.send(completion: .failure(Broken()))
    #expect(subscriber.completion == .failure(Broken()))
    let other = TestSubscriber<Int, Broken>()
    source.retry(3).subscribe(other)
    source.send(completion: .finished)
    #expect(other.completion == .finished)
    #expect(source.subscriptionCount == 2)
  }

  @Test func `D15: retry a million times, and without limit until a cancel`() {
    let count = Shared(0)
    let failing = Deferred { () -> Fail<Int, Broken> in
      count.increment()
      return Fail(error: Broken())
    }
    let subscriber = TestSubscriber<Int, Broken>()
    #expect(finishes(stackSize: 512 * 1024) { failing.retry(100_000).subscribe(subscriber) })
    #expect(count.value == 100_001)
    #expect(subscriber.completion == .failure(Broken()))
    let held = Shared<TestSubscriber<Int, Broken>?>(nil)
    let endless = TestSubscriber<Int, Broken>()
    held.value = endless
    let counted = Shared(0)
    Publishers.Retry(
      upstream: Deferred { () -> Fail<Int, Broken> in
        counted.increment()
        if counted.value == 1_000 { held.value?.cancel() }
        return Fail(error: Broken())
      }, retries: nil
    ).subscribe(endless)
    #expect(counted.value == 1_000)
    #expect(endless.completion == nil)
    held.value = nil
  }

  @Test func `retry: a negative number traps and says what to do`() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).unspecialized.retry(-1) }
  }

  @Test func `tryCatch: continues with a publisher, or fails with what is thrown`() {
    let subscriber = TestSubscriber<Int, any Error>()
    (1...3).failing.tryCatch { _ in (7...8).publisher }.subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 7, 8])
    if case .finished = subscriber.completion {} else { Issue.record("not finished") }
    let failing = TestSubscriber<Int, any Error>()
    (1...3).failing.tryCatch { _ -> Just<Int> in throw NumberedError(5) }.subscribe(failing)
    #expect(failing.values == [1, 2])
    guard case .failure(let error) = failing.completion else {
      Issue.record("not failed")
      return
    }
    #expect(error as? NumberedError == NumberedError(5))
  }

  @Test func `D15: a recursion of tryCatch does not grow the stack`() {
    @Sendable func attempt(_ number: Int) -> AnyPublisher<Int, any Error> {
      Fail<Int, any Error>(error: Broken()).tryCatch { error -> AnyPublisher<Int, any Error> in
        if number == 50_000 { throw error }
        return attempt(number + 1)
      }.eraseToAnyPublisher()
    }
    let subscriber = TestSubscriber<Int, any Error>()
    #expect(finishes(stackSize: 512 * 1024) { attempt(0).subscribe(subscriber) })
    guard case .failure(let error) = subscriber.completion else {
      Issue.record("not failed")
      return
    }
    #expect(error as? Broken == Broken())
  }

  @Test func `D4 D7: a cancel races the change from one to the next`() {
    for _ in 0..<200 {
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let subscriber = TestSubscriber<Int, Never>()
      a.append(b).subscribe(subscriber)
      let isOver = race(
        {
          a.send(1)
          a.send(completion: .finished)
          b.send(2)
        }, { subscriber.request(.max(1)) }, { subscriber.cancel() })
      #expect(isOver)
      b.send(3)
      #expect(!subscriber.values.contains(3))
      #expect(subscriber.violations == [])
    }
  }
}
