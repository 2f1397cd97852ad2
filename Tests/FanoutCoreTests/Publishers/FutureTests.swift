import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

private typealias Promise = Future<Int, Broken>.Promise

/// A future and its promise.
private func makeFuture(
  _ whenMade: @escaping (@escaping Promise) -> Void = { _ in }
) -> (future: Future<Int, Broken>, promise: Promise) {
  let promise = Shared<Promise>({ _ in })
  let future = Future<Int, Broken> {
    promise.value = $0
    whenMade($0)
  }
  let made = promise.value
  return (future, made)
}

struct FutureTests {
  @Test func `runs its closure at once, and once`() {
    let runs = Shared(0)
    let future = Future<Int, Broken> { promise in
      runs.increment()
      promise(.success(1))
    }
    #expect(runs.value == 1)
    for _ in 0..<2 {
      let subscriber = TestSubscriber<Int, Broken>()
      future.subscribe(subscriber)
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
    #expect(runs.value == 1)
  }

  @Test func `D8: the value waits until it is asked for, and then the end follows it`() {
    let (future, promise) = makeFuture()
    let early = TestSubscriber<Int, Broken>(initialDemand: .none)
    future.subscribe(early)
    promise(.success(1))
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    future.subscribe(late)
    for subscriber in [early, late] {
      #expect(subscriber.events == [.subscription])
      subscriber.request(.max(1))
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D9: a failure comes at once, whatever was asked for`() {
    let (future, promise) = makeFuture()
    let early = TestSubscriber<Int, Broken>(initialDemand: .none)
    future.subscribe(early)
    promise(.failure(Broken()))
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    future.subscribe(late)
    for subscriber in [early, late] {
      #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D10: a late subscriber gets the value, then the end`() {
    let (future, promise) = makeFuture()
    promise(.success(1))
    let late = TestSubscriber<Int, Broken>()
    future.subscribe(late)
    #expect(late.events == [.subscription, .value(1), .completion(.finished)])
    #expect("\(late.subscription ?? Subscriptions.empty)" == "Future")
  }

  @Test func `the first call of the promise counts`() {
    for (first, second) in [
      (Result<Int, Broken>.success(1), Result<Int, Broken>.success(2)),
      (.failure(Broken()), .success(2)), (.success(1), .failure(Broken())),
    ] {
      let (future, promise) = makeFuture()
      promise(first)
      promise(second)
      let subscriber = TestSubscriber<Int, Broken>()
      future.subscribe(subscriber)
      switch first {
      case .success(let value):
        #expect(subscriber.events == [.subscription, .value(value), .completion(.finished)])
      case .failure(let error):
        #expect(subscriber.events == [.subscription, .completion(.failure(error))])
      }
    }
  }

  @Test func `D7: a cancel takes the subscriber out, and leaves the others`() {
    let (future, promise) = makeFuture()
    let one = TestSubscriber<Int, Broken>()
    let other = TestSubscriber<Int, Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    let third = TestSubscriber<Int, Broken>()
    for subscriber in [one, other, third] { future.subscribe(subscriber) }
    one.cancel()
    promise(.success(1))
    #expect(one.events == [.subscription])
    #expect(other.events == [.subscription, .value(1)])
    #expect(third.events == [.subscription, .value(1), .completion(.finished)])
    #expect(other.violations == [])
  }

  @Test func `D1: a promise that is kept inside a subscriber's call does not nest`() {
    let (future, promise) = makeFuture()
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { _ in promise(.success(1)) })
    future.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `O2: the promise retains the future until it is called`() {
    let tracker = LifetimeTracker()
    var promise: Promise?
    do {
      let made = makeFuture()
      tracker.track(made.future, "future")
      promise = made.promise
    }
    #expect(tracker.survivors().count == 1)
    promise?(.success(1))
    #expect(tracker.survivors() == [])
    promise?(.success(2))
    promise = nil
  }

  @Test func `O2: a promise that is dropped without a call lets go of the future`() {
    let tracker = LifetimeTracker()
    do { tracker.track(makeFuture().future, "future") }
    #expect(tracker.survivors() == [])
  }

  @Test func `O2: a future lets go of its closure when that has run`() {
    let tracker = LifetimeTracker()
    let future = Future<Int, Broken> { [token = tracker.track(Token(), "closure")] _ in
      withExtendedLifetime(token) {}
    }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(future) {}
  }

  @Test func `O2, O3: subscribers are let go of when the promise is called`() {
    let tracker = LifetimeTracker()
    let (future, promise) = makeFuture()
    do {
      let subscriber = TestSubscriber<Int, Broken>()
      tracker.track(subscriber, "subscriber")
      future.subscribe(subscriber)
    }
    #expect(tracker.survivors().count == 1)
    promise(.success(1))
    #expect(tracker.survivors() == [])
    withExtendedLifetime(future) {}
  }

  @Test func `O6: the value lives as long as the future`() {
    let gone = Shared(false)
    do {
      let future = Future<Token, Never> { $0(.success(Token { gone.value = true })) }
      future.sink { _ in }.cancel()
      #expect(!gone.value)
      withExtendedLifetime(future) {}
    }
    #expect(gone.value)
  }

  @Test func `D11: the end of a value that nobody can be given any more may use the future`() {
    let (future, promise) = makeFuture()
    let other = Shared<Future<Token, Never>.Promise?>(nil)
    let tokens = Future<Token, Never> { other.value = $0 }
    tokens.sink { _ in }.cancel()
    other.value?(.success(Token { promise(.success(1)) }))
    other.value?(.success(Token { promise(.success(2)) }))
    let subscriber = TestSubscriber<Int, Broken>()
    future.subscribe(subscriber)
    #expect(subscriber.values == [2])
    withExtendedLifetime(tokens) {}
    other.value = nil
  }
}

struct FutureRaceTests {
  @Test func `D2: of many threads that call the promise one counts, for all subscribers`() {
    for _ in 0..<100 {
      let (future, promise) = makeFuture()
      let subscribers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
      future.subscribe(subscribers[0])
      let isOver = race(
        { promise(.success(1)) }, { promise(.success(2)) }, { promise(.failure(Broken())) },
        { future.subscribe(subscribers[1]) })
      #expect(isOver)
      future.subscribe(subscribers[2])
      #expect(Set(subscribers.map { "\($0.events)" }).count == 1)
      #expect(subscribers.flatMap(\.violations) == [])
      #expect(subscribers.allSatisfy { $0.completion != nil })
    }
  }
}
