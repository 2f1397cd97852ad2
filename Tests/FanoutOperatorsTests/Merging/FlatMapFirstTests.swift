import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct FlatMapFirstTests {
  @Test func `values that come before the publisher has finished are left out`() {
    let upstream = TestPublisher<Int, Never>()
    let inner = (0...3).map { _ in TestPublisher<Int, Never>() }
    let made = Notes<Int>()
    let subscriber = TestSubscriber<Int, Never>()
    upstream.flatMapFirst { number in
      made.append(number)
      return inner[number]
    }.subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
    upstream.send(0)
    upstream.send(1)
    inner[0].send(10)
    upstream.send(2)
    inner[0].send(completion: .finished)
    upstream.send(3)
    inner[3].send(30)
    #expect(made.all == [0, 3])
    #expect(subscriber.values == [10, 30])
    upstream.send(completion: .finished)
    #expect(subscriber.completion == nil)
    inner[3].send(completion: .finished)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D14: a publisher that finishes at once leaves room for the next value`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...3).publisher.flatMapFirst { Just($0 * 10) }.subscribe(subscriber)
    #expect(subscriber.values == [10, 20, 30])
    #expect(subscriber.completion == .finished)
  }

  @Test func `Q1: a failure of one side cancels the other`() {
    let upstream = TestPublisher<Int, Broken>()
    let inner = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.flatMapFirst { _ in inner }.subscribe(subscriber)
    upstream.send(1)
    inner.send(completion: .failure(Broken()))
    #expect(subscriber.completion == .failure(Broken()))
    #expect(upstream.cancelCount == 1)
  }

  @Test func `D7: a cancel cancels both sides, and releases the closure`() {
    let upstream = TestPublisher<Int, Never>()
    let inner = TestPublisher<Int, Never>()
    var watch: WeakReference?
    let subscriber = TestSubscriber<Int, Never>()
    do {
      let token = Token(1)
      watch = WeakReference(token)
      upstream.flatMapFirst { _ in withExtendedLifetime(token) { inner } }.subscribe(subscriber)
    }
    upstream.send(1)
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
    #expect(inner.cancelCount == 1)
    #expect(watch?.isAlive == false)
  }

  @Test func `D8: the created publisher is asked for one value at a time`() {
    let upstream = TestPublisher<Int, Never>()
    let inner = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
    upstream.flatMapFirst { _ in inner }.subscribe(subscriber)
    upstream.send(1)
    inner.send(1)
    #expect(subscriber.values == [1])
    subscriber.request(.max(1))
    inner.send(2)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}
