import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `mapError`, `setFailureType` and `replaceError`.
struct FailureOperatorTests {
  @Test func `mapError makes another failure, and passes everything else`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, NumberedError>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.mapError { _ in NumberedError(7) }.subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send(1) == .max(2))
    upstream.send(completion: .failure(Broken()))
    #expect(
      subscriber.events == [.subscription, .value(1), .completion(.failure(NumberedError(7)))])
    #expect(subscriber.violations == [])
    let finished = TestSubscriber<Int, NumberedError>()
    Empty<Int, Broken>().mapError { _ in NumberedError() }.subscribe(finished)
    #expect(finished.events == [.subscription, .completion(.finished)])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: who cancels in the closure of mapError gets no failure`(kind: SubjectKind) {
    let subject = kind.make()
    let held = Shared<TestSubscriber<Int, NumberedError>?>(nil)
    let subscriber = TestSubscriber<Int, NumberedError>()
    held.value = subscriber
    subject.eraseToAnyPublisher().mapError { _ in
      held.value?.cancel()
      return NumberedError()
    }.subscribe(subscriber)
    subject.send(completion: .failure(Broken()))
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
    held.value = nil
  }

  @Test func `setFailureType changes the type alone`() {
    let subscriber = TestSubscriber<Int, NumberedError>(initialDemand: .max(1))
    let upstream = TestPublisher<Int, Never>()
    upstream.setFailureType(to: Broken.self).setFailureType(to: NumberedError.self).subscribe(
      subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(upstream.requests == [.max(1)])
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: the value for a failure waits until it is asked for, and so does the end`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Fail<Int, Broken>(error: Broken()).replaceError(with: 9).subscribe(subscriber)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.none)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(9), .completion(.finished)])
    subscriber.request(.max(1))
    #expect(subscriber.violations == [])
    #expect(subscriber.values == [9])
  }

  @Test func `D8: what was delivered counts against what was asked for before the failure`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2)) { _, value in
      value == 1 ? .max(1) : .none
    }
    upstream.replaceError(with: 9).subscribe(subscriber)
    (1...3).forEach(upstream.send)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.values == [1, 2, 3, 9])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: one that is still asked for takes the value at once`() {
    for demand in [Subscribers.Demand.max(2), .unlimited] {
      let upstream = TestPublisher<Int, Broken>()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: demand)
      upstream.replaceError(with: 9).subscribe(subscriber)
      upstream.send(1)
      upstream.send(completion: .failure(Broken()))
      upstream.send(2)
      #expect(
        subscriber.events == [.subscription, .value(1), .value(9), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D1, D8: what a call returns in which the upstream failed asks for the value`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      upstream.send(completion: .failure(Broken()))
      return value == 1 ? .max(1) : .none
    }
    upstream.replaceError(with: 9).subscribe(subscriber)
    upstream.send(1)
    #expect(
      subscriber.events == [.subscription, .value(1), .value(9), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: an end without failure passes at once, and the value is never delivered`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Empty<Int, Broken>().replaceError(with: 9).subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test func `O2: a value for a failure that waits is let go of at cancel`() {
    let gone = Shared(false)
    let upstream = TestPublisher<Token, Broken>()
    let subscriber = TestSubscriber<Token, Never>(initialDemand: .none)
    upstream.replaceError(with: Token { gone.value = true }).subscribe(subscriber)
    upstream.send(completion: .failure(Broken()))
    #expect(!gone.value)
    subscriber.cancel()
    #expect(gone.value)
    subscriber.request(.unlimited)
    #expect(subscriber.values.isEmpty)
  }

  @Test func `D7: who cancels in the value for a failure does not get the end`() {
    let subscriber = TestSubscriber<Int, Never> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    Fail<Int, Broken>(error: Broken()).replaceError(with: 9).subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(9)])
    #expect(subscriber.violations == [])
  }
}

struct FailureOperatorRaceTests {
  @Test func `D8: a failure and a request that race deliver the value once`() {
    for _ in 0..<500 {
      let upstream = TestPublisher<Int, Broken>()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      upstream.replaceError(with: 9).subscribe(subscriber)
      let isOver = race(
        { upstream.send(completion: .failure(Broken())) }, { subscriber.request(.max(1)) },
        { subscriber.request(.max(1)) })
      #expect(isOver)
      #expect(subscriber.events == [.subscription, .value(9), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }
}
