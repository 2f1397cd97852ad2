import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A `catch` whose publisher fails and is caught again, as one writes that who tries again.
@Suite(.noLeaks) struct CatchRecursionTests {
  /// One upstream for each attempt.
  fileprivate let attempts = (0..<4).map { _ in TestPublisher<Int, Broken>() }

  fileprivate func attempt(_ number: Int = 0) -> AnyPublisher<Int, Broken> {
    let attempts = attempts
    guard number + 1 < attempts.count else { return attempts[number].eraseToAnyPublisher() }
    return attempts[number].catch { [self] _ in attempt(number + 1) }.eraseToAnyPublisher()
  }

  fileprivate let failure = Subscribers.Completion<Broken>.failure(Broken())

  @Test func `D8: each attempt is asked for what is left, no more and no less`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(5))
    attempt().subscribe(subscriber)
    attempts[0].send(1)
    attempts[0].send(completion: failure)
    #expect(attempts[1].requests == [.max(4)])
    attempts[1].send(2)
    subscriber.request(.max(2))
    #expect(attempts[1].requests == [.max(4), .max(2)])
    attempts[1].send(completion: failure)
    #expect(attempts[2].requests == [.max(5)])
    attempts[2].send(completion: failure)
    #expect(attempts[3].requests == [.max(5)])
    attempts[3].send(3)
    attempts[3].send(completion: failure)
    #expect(
      subscriber.events == [.subscription, .value(1), .value(2), .value(3), .completion(failure)])
    #expect(subscriber.violations == [])
    #expect(attempts.map(\.subscriptionCount) == [1, 1, 1, 1])
    #expect(attempts.map(\.cancelCount) == [0, 0, 0, 0])
  }

  @Test func `D8: what a call returns in which an attempt fails reaches the next`() {
    let attempts = attempts
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { _, value in
      if value < 3 { attempts[value].send(completion: .failure(Broken())) }
      return .max(1)
    }
    attempt().subscribe(subscriber)
    attempts[0].send(completion: failure)
    attempts[1].send(1)
    #expect(attempts[2].requests == [.max(1)])
    attempts[2].send(2)
    #expect(attempts[3].requests == [.max(1)])
    attempts[3].send(3)
    #expect(subscriber.values == [1, 2, 3])
    subscriber.cancel()
  }

  @Test(arguments: 0...3)
  func `D7: a cancel reaches the attempt that receives, and no other begins`(failures: Int) {
    let subscriber = TestSubscriber<Int, Broken>()
    attempt().subscribe(subscriber)
    for number in 0..<failures { attempts[number].send(completion: failure) }
    subscriber.cancel()
    attempts[failures].send(7)
    attempts[failures].send(completion: failure)
    #expect(subscriber.events == [.subscription])
    #expect(attempts.map(\.cancelCount) == (0..<4).map { $0 == failures ? 1 : 0 })
    #expect(attempts.map(\.subscriptionCount) == (0..<4).map { $0 <= failures ? 1 : 0 })
  }

  @Test(arguments: 1...3)
  func `D7: a cancel in a handler keeps the next attempt from being subscribed to`(at last: Int) {
    let attempts = attempts
    let subscriber = TestSubscriber<Int, Broken>()
    func attempt(_ number: Int) -> AnyPublisher<Int, Broken> {
      if number == last { subscriber.cancel() }
      return attempts[number].catch { [unowned subscriber] _ in
        if number + 1 == last { subscriber.cancel() }
        return attempts[number + 1].catch { [unowned subscriber] _ in
          if number + 2 == last { subscriber.cancel() }
          return attempts[number + 2].catch { [unowned subscriber] _ in
            if number + 3 == last { subscriber.cancel() }
            return attempts[number + 3]
          }
        }
      }.eraseToAnyPublisher()
    }
    attempt(0).subscribe(subscriber)
    for attempt in attempts { attempt.send(completion: failure) }
    #expect(subscriber.events == [.subscription])
    #expect(attempts.map(\.subscriptionCount) == (0..<4).map { $0 < last ? 1 : 0 })
  }

  @Test func `D9: an attempt that finishes is the end`() {
    let subscriber = TestSubscriber<Int, Broken>()
    attempt().subscribe(subscriber)
    attempts[0].send(completion: failure)
    attempts[1].send(1)
    attempts[1].send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    subscriber.request(.max(1))
    subscriber.cancel()
    #expect(attempts[2].subscriptionCount == 0)
  }

  @Test func `O2: a publisher that forgets its subscriber keeps nothing alive`() {
    weak var weakSubscriber: TestSubscriber<Int, Broken>?
    do {
      let subscriber = TestSubscriber<Int, Broken>()
      weakSubscriber = subscriber
      attempt().subscribe(subscriber)
      attempts[0].send(completion: failure)
      attempts[1].send(completion: failure)
    }
    #expect(weakSubscriber != nil)
    weakSubscriber?.cancel()
    #expect(weakSubscriber == nil)
  }

  @Test func `a second subscription, to another catch, is cancelled; the first goes on`() {
    let attempts = attempts
    let subscriber = TestSubscriber<Int, Broken>()
    Fail<Int, Broken>(error: Broken()).catch { _ in
      SubscribesTwice(attempts[0], attempts[1].catch { _ in attempts[2] })
    }.subscribe(subscriber)
    attempts[0].send(1)
    attempts[1].send(2)
    #expect(subscriber.values == [1])
    #expect(attempts[1].cancelCount == 1)
    subscriber.cancel()
    #expect(attempts[0].cancelCount == 1)
  }
}

@Suite(.noLeaks) struct CatchRecursionRaceTests {
  @Test func `D8: requests that race with failures all reach the last attempt`() {
    for _ in 0..<200 {
      let tests = CatchRecursionTests()
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
      tests.attempt().subscribe(subscriber)
      let isOver = race(
        { for _ in 0..<10 { subscriber.request(.max(1)) } },
        { for number in 0..<3 { tests.attempts[number].send(completion: tests.failure) } },
        { for _ in 0..<10 { subscriber.request(.max(1)) } })
      #expect(isOver)
      let asked = tests.attempts[3].requests.reduce(Subscribers.Demand.none, +)
      #expect(asked == .max(21))
      subscriber.cancel()
      #expect(tests.attempts[3].cancelCount == 1)
    }
  }

  @Test func `D7: a cancel that races with failures leaves no attempt behind`() {
    for _ in 0..<200 {
      let tests = CatchRecursionTests()
      let subscriber = TestSubscriber<Int, Broken>()
      tests.attempt().subscribe(subscriber)
      let isOver = race(
        { subscriber.cancel() },
        { for number in 0..<3 { tests.attempts[number].send(completion: tests.failure) } })
      #expect(isOver)
      for attempt in tests.attempts { attempt.send(7) }
      #expect(subscriber.values == [])
      #expect(subscriber.violations == [])
      // Each has failed, was cancelled, or was never subscribed to.
      #expect(tests.attempts[3].cancelCount >= tests.attempts[3].subscriptionCount)
    }
  }
}
