import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CatchTests {
  @Test func `goes on with the handler's publisher, and only after a failure`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...3).failing.catch { _ in (7...8).publisher }.subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 7, 8])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    let finished = TestSubscriber<Int, Never>()
    let calls = Shared(0)
    (1...3).publisher.setFailureType(to: Broken.self).catch { _ in
      calls.increment()
      return Just(9)
    }.subscribe(finished)
    #expect(finished.values == [1, 2, 3])
    #expect(finished.completion == .finished)
    #expect(calls.value == 0)
  }

  @Test func `is given the failure, and fails as the new publisher does`() {
    let subscriber = TestSubscriber<Int, NumberedError>()
    Fail<Int, NumberedError>(error: NumberedError(1)).catch { error in
      Fail<Int, NumberedError>(error: NumberedError(error.number + 1))
    }.subscribe(subscriber)
    #expect(subscriber.completion == .failure(NumberedError(2)))
    #expect(subscriber.events.count == 2)
  }

  @Test func `D8: what is left of the demand is carried over, no more and no less`() {
    let upstream = TestPublisher<Int, Broken>()
    let second = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(4)) { _, value in
      value == 1 ? .max(3) : .none
    }
    upstream.catch { _ in second }.subscribe(subscriber)
    subscriber.request(.max(2))
    upstream.send(1)
    upstream.send(2)
    #expect(second.subscriptionCount == 0)
    upstream.send(completion: .failure(Broken()))
    #expect(upstream.requests == [.max(4), .max(2)])
    // 4 and 2 and 3 requested, 2 delivered.
    #expect(second.requests == [.max(7)])
    subscriber.request(.max(1))
    #expect(second.requests == [.max(7), .max(1)])
    #expect(upstream.requests == [.max(4), .max(2)])
    second.send(3)
    subscriber.cancel()
    #expect(second.cancelCount == 1)
    #expect(upstream.cancelCount == 0)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: unlimited demand stays so, and returned demand reaches the new upstream`() {
    let upstream = TestPublisher<Int, Broken>()
    let second = TestPublisher<Int, Never>()
    let all = TestSubscriber<Int, Never>()
    upstream.catch { _ in second }.subscribe(all)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(second.requests == [.unlimited])
    all.cancel()
    let third = TestPublisher<Int, Never>()
    let some = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in .max(value) }
    Fail<Int, Broken>(error: Broken()).catch { _ in third }.subscribe(some)
    #expect(third.subscriptions[0].send(5) == .max(5))
    some.cancel()
  }

  @Test func `D8: a failure before any demand asks for nothing until the subscriber does`() {
    let second = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Fail<Int, Broken>(error: Broken()).catch { _ in second }.subscribe(subscriber)
    #expect(second.subscriptionCount == 1)
    #expect(second.requests == [])
    subscriber.request(.max(2))
    #expect(second.requests == [.max(2)])
    subscriber.cancel()
    #expect(second.cancelCount == 1)
  }

  @Test func `D1, D14: a synchronous new publisher delivers when the subscriber has been told`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, _ in .max(1) }
    Fail<Int, Broken>(error: Broken()).catch { _ in (1...1000).publisher }.subscribe(subscriber)
    #expect(subscriber.values == Array(1...1000))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: demand asked for while the handler runs is not lost`() {
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let second = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
    held.value = subscriber
    let upstream = TestPublisher<Int, Broken>()
    upstream.catch { _ in
      held.value?.request(.max(2))
      return second
    }.subscribe(subscriber)
    upstream.send(completion: .failure(Broken()))
    #expect(second.requests == [.max(3)])
    held.value = nil
    subscriber.cancel()
  }

  @Test func `D8: what a call returns in which the upstream failed reaches the new publisher`() {
    let upstream = TestPublisher<Int, Broken>(whenAsked: { feed, demand in
      if demand == .max(5) { feed.send(completion: .failure(Broken())) }
    })
    let second = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { subscriber, _ in
      subscriber.request(.max(5))
      return .max(2)
    }
    upstream.catch { _ in second }.subscribe(subscriber)
    #expect(upstream.subscriptions[0].send(1) == .none)
    #expect(second.requests == [.max(5), .max(2)])
    subscriber.cancel()
  }

  @Test func `D7: who cancels in the handler gets nothing of the new publisher`() {
    let held = Shared<TestSubscriber<Int, Never>?>(nil)
    let second = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    held.value = subscriber
    Fail<Int, Broken>(error: Broken()).catch { _ in
      held.value?.cancel()
      return second
    }.subscribe(subscriber)
    #expect(second.subscriptionCount == 0)
    #expect(subscriber.events == [.subscription])
    held.value = nil
  }

  @Test func `L4: the old upstream is released when the handler runs, and not cancelled`() {
    let upstream = Forgetful()
    let wasAlive = Shared<Bool?>(nil)
    let subscriber = TestSubscriber<Int, Never>()
    upstream.catch { _ in
      wasAlive.value = upstream.subscription.value.object != nil
      return Empty<Int, Never>(completeImmediately: false)
    }.subscribe(subscriber)
    #expect(upstream.subscription.value.object != nil)
    upstream.fail()
    #expect(wasAlive.value == false)
    #expect(upstream.cancelCount.value == 0)
    subscriber.cancel()
  }

  @Test(arguments: [true, false])
  func `O2: after a failure the subscriber and the new upstream are let go at the end`(
    finishes: Bool
  ) {
    let tracker = LifetimeTracker()
    let second = TestPublisher<Int, Never>()
    let subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Never>()
      tracker.track(subscriber, "subscriber")
      Fail<Int, Broken>(error: Broken()).catch { [token = tracker.track(Token(), "handler")] _ in
        withExtendedLifetime(token) { second }
      }.subscribe(subscriber)
      tracker.track(second.subscriptions[0], "upstream")
      subscription = subscriber.subscription
    }
    let feed = second.subscriptions[0]
    second.forgetSubscriptions()
    #expect(Set(tracker.survivors().map(\.name)) == ["subscriber", "upstream"])
    if finishes { feed.send(completion: .finished) } else { subscription?.cancel() }
    #expect(tracker.survivors().map(\.name) == ["upstream"])
    withExtendedLifetime((feed, subscription)) {}
  }

  @Test func `a second subscription is cancelled, before the failure and after`() {
    let first = [TestPublisher<Int, Broken>(), TestPublisher<Int, Broken>()]
    let second = [TestPublisher<Int, Never>(), TestPublisher<Int, Never>()]
    let subscriber = TestSubscriber<Int, Never>()
    SubscribesTwice(first[0], first[1]).catch { _ in SubscribesTwice(second[0], second[1]) }
      .subscribe(subscriber)
    #expect(first.map(\.cancelCount) == [0, 1])
    first[0].send(completion: .failure(Broken()))
    #expect(second.map(\.cancelCount) == [0, 1])
    second[0].send(1)
    second[1].send(2)
    #expect(subscriber.values == [1])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}

struct CatchRaceTests {
  @Test func `D8: requests that race with the failure all reach the new publisher`() {
    for _ in 0..<300 {
      let upstream = TestPublisher<Int, Broken>()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
      upstream.catch { _ in (1...100).publisher }.subscribe(subscriber)
      let isOver = race(
        { for _ in 0..<10 { subscriber.request(.max(1)) } },
        { upstream.send(completion: .failure(Broken())) },
        { for _ in 0..<10 { subscriber.request(.max(1)) } })
      #expect(isOver)
      #expect(subscriber.values == Array(1...21))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D7: a cancel that races with the failure leaves nothing behind`() {
    for _ in 0..<300 {
      let tracker = LifetimeTracker()
      let upstream = TestPublisher<Int, Broken>()
      let second = TestPublisher<Int, Never>()
      do {
        let subscriber = TestSubscriber<Int, Never>()
        tracker.track(subscriber, "subscriber")
        upstream.catch { _ in second }.subscribe(subscriber)
        let isOver = race(
          { upstream.send(completion: .failure(Broken())) }, { subscriber.cancel() })
        #expect(isOver)
        second.send(1)
        #expect(subscriber.values == [])
        #expect(subscriber.violations == [])
      }
      // The thread that attaches and the one that cancels may both do this; a second cancel does
      // nothing.
      #expect(second.cancelCount >= second.subscriptionCount)
      #expect(tracker.survivors() == [])
    }
  }
}

/// A publisher that leaves its subscription to the subscriber.
private final class Forgetful: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Broken

  struct Weak {
    weak var object: Handed?
  }

  final class Handed: Subscription {
    let cancelCount: Shared<Int>
    init(_ cancelCount: Shared<Int>) { self.cancelCount = cancelCount }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancelCount.increment() }
  }

  let subscription = Shared(Weak())
  let cancelCount = Shared(0)
  private let subscriber = Shared<AnySubscriber<Int, Broken>?>(nil)

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    self.subscriber.value = AnySubscriber(subscriber)
    let handed = Handed(cancelCount)
    subscription.value = Weak(object: handed)
    subscriber.receive(subscription: handed)
  }

  func fail() { subscriber.value?.receive(completion: .failure(Broken())) }
}
