import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct SwitchToLatestTests {
  private typealias Inner = TestPublisher<Int, Broken>

  @Test func `nothing is delivered of a publisher that was replaced`() {
    let outer = TestPublisher<Inner, Broken>()
    let (a, b) = (Inner(), Inner())
    let subscriber = TestSubscriber<Int, Broken>()
    outer.switchToLatest().subscribe(subscriber)
    #expect(outer.requests == [.unlimited])
    outer.send(a)
    a.send(1)
    outer.send(b)
    #expect(a.cancelCount == 1)
    a.send(2)
    b.send(3)
    outer.send(completion: .finished)
    #expect(subscriber.completion == nil)
    b.send(4)
    b.send(completion: .finished)
    #expect(
      subscriber.events == [
        .subscription, .value(1), .value(3), .value(4), .completion(.finished),
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: the next one is asked for what is requested and not delivered`() {
    let outer = TestPublisher<Inner, Broken>()
    let (a, b) = (Inner(), Inner())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(4)) { _, value in
      value == 1 ? .max(2) : .none
    }
    outer.switchToLatest().subscribe(subscriber)
    outer.send(a)
    #expect(a.requests == [.max(4)])
    a.send(1)
    #expect(a.requests == [.max(4), .max(2)])
    a.send(2)
    outer.send(b)
    #expect(b.requests == [.max(4)])
    subscriber.request(.max(1))
    #expect(b.requests == [.max(4), .max(1)])
    for value in 3...7 { b.send(value) }
    #expect(subscriber.values == [1, 2, 3, 4, 5, 6, 7])
    subscriber.cancel()
    #expect(outer.cancelCount == 1)
    #expect(b.cancelCount == 1)
    #expect(a.cancelCount == 1)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: nothing is requested before the subscriber does`() {
    let outer = TestPublisher<Inner, Broken>()
    let a = Inner()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    outer.switchToLatest().subscribe(subscriber)
    outer.send(a)
    #expect(a.requests == [])
    subscriber.request(.max(1))
    #expect(a.requests == [.max(1)])
    subscriber.cancel()
  }

  @Test(arguments: [true, false])
  func `D9: a failure of either cancels the other`(isOuter: Bool) {
    let outer = TestPublisher<Inner, Broken>()
    let a = Inner()
    let subscriber = TestSubscriber<Int, Broken>()
    outer.switchToLatest().subscribe(subscriber)
    outer.send(a)
    if isOuter {
      outer.send(completion: .failure(Broken()))
      #expect(a.cancelCount == 1)
    } else {
      a.send(completion: .failure(Broken()))
      #expect(outer.cancelCount == 1)
    }
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
  }

  @Test func `it finishes with the upstream if the newest has finished or none came`() {
    let outer = TestPublisher<Inner, Broken>()
    let a = Inner()
    let subscriber = TestSubscriber<Int, Broken>()
    outer.switchToLatest().subscribe(subscriber)
    outer.send(a)
    a.send(completion: .finished)
    #expect(subscriber.completion == nil)
    outer.send(completion: .finished)
    #expect(subscriber.completion == .finished)
    let none = TestSubscriber<Int, Never>()
    Empty<Just<Int>, Never>().switchToLatest().subscribe(none)
    #expect(none.events == [.subscription, .completion(.finished)])
  }

  @Test func `D3: a publisher that is sent while its values are delivered`() {
    let outer = PassthroughSubject<Publishers.Sequence<[Int], Never>, Never>()
    let subscriber = TestSubscriber<Int, Never> { _, value in
      if value % 10 == 1, value < 40 {
        outer.send([value + 9, value + 10, value + 11].publisher)
      }
      return .none
    }
    outer.switchToLatest().subscribe(subscriber)
    outer.send([0, 1, 2].publisher)
    #expect(subscriber.values.prefix(2) == [0, 1])
    #expect(subscriber.values.suffix(3) == [40, 41, 42])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `a value is transformed, and types without a failure fit`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...3).publisher.flatMapLatest { Just($0 * 10) }.subscribe(subscriber)
    #expect(subscriber.values == [10, 20, 30])
    #expect(subscriber.completion == .finished)
    let failing = TestSubscriber<Int, Broken>()
    Just(Fail<Int, Broken>(error: Broken())).switchToLatest().subscribe(failing)
    #expect(failing.completion == .failure(Broken()))
    let other = TestSubscriber<Int, Broken>()
    Just(Just(1)).setFailureType(to: Broken.self).switchToLatest().subscribe(other)
    #expect(other.values == [1])
    #expect(other.completion == .finished)
  }

  @Test func `D7: nothing comes after a cancel inside a subscriber`() {
    let outer = TestPublisher<Inner, Broken>()
    let a = Inner()
    let subscriber = TestSubscriber<Int, Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    outer.switchToLatest().subscribe(subscriber)
    outer.send(a)
    a.send(1)
    a.send(2)
    #expect(subscriber.events == [.subscription, .value(1)])
    #expect(a.cancelCount == 1)
    #expect(outer.cancelCount == 1)
  }
}
