import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `collect(_:)` and `replaceEmpty(with:)`, which may deliver a value when the upstream has finished.
struct TrailingValueTests {
  private typealias Source = TestPublisher<Int, Broken>

  @Test func `D8: for each array, that many values are requested`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(1)) { _, array in
      array == [1, 2, 3] ? .max(2) : .none
    }
    upstream.collect(3).subscribe(subscriber)
    #expect(upstream.requests == [.max(3)])
    let feed = upstream.subscriptions[0]
    #expect(feed.send(1) == .none)
    #expect(feed.send(2) == .none)
    #expect(feed.send(3) == .max(6))
    #expect(subscriber.values == [[1, 2, 3]])
    subscriber.request(.max(4))
    #expect(upstream.requests == [.max(3), .max(12)])
    subscriber.request(.unlimited)
    #expect(upstream.requests == [.max(3), .max(12), .unlimited])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: a number of values that is too large is everything`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(2))
    upstream.collect(.max).subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value([1]), .completion(.finished)])
  }

  @Test func `D9: the last array may be shorter, and waits until it is requested`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(1))
    upstream.collect(2).subscribe(subscriber)
    for number in 1...3 { upstream.send(number) }
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value([1, 2])])
    subscriber.request(.max(1))
    #expect(
      subscriber.events == [.subscription, .value([1, 2]), .value([3]), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: without values that are left, the finish needs no demand`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .max(1))
    upstream.collect(2).subscribe(subscriber)
    for number in 1...2 { upstream.send(number) }
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value([1, 2]), .completion(.finished)])
  }

  @Test func `D9: a failure passes at once, without the values that are left`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken>()
    upstream.collect(2).subscribe(subscriber)
    for number in 1...3 { upstream.send(number) }
    upstream.send(completion: .failure(Broken()))
    #expect(
      subscriber.events == [.subscription, .value([1, 2]), .completion(.failure(Broken()))])
  }

  @Test(arguments: [0, -1])
  func `an array of no values traps and says what to do`(count: Int) async {
    await #expect(processExitsWith: .failure) { [count] in _ = Just(1).collect(count) }
    await #expect(processExitsWith: .failure) { [count] in
      _ = Publishers.CollectByCount(upstream: Just(1), count: count)
    }
  }

  @Test func `O6: the arrays release their values, and a cancel those that are left`() {
    let gone = Notes<Int>()
    let upstream = TestPublisher<Token, Never>()
    let received = Shared(0)
    let sink = upstream.collect(2).sink { received.value += $0.count }
    for number in 1...3 { upstream.send(Token(number, gone)) }
    #expect(received.value == 2)
    #expect(gone.all == [1, 2])
    sink.cancel()
    #expect(gone.all == [1, 2, 3])
  }

  @Test func `D7: a cancel while a value is delivered is final`() {
    let upstream = Source()
    let subscriber = TestSubscriber<[Int], Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    upstream.collect(1).subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value([1])])
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.violations == [])
  }

  @Test func `D9: replaceEmpty delivers its value when that is requested`() {
    let upstream = Source()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.replaceEmpty(with: 7).subscribe(subscriber)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(7), .completion(.finished)])
    #expect(upstream.requests == [])
    #expect(subscriber.violations == [])
  }

  @Test func `D8: replaceEmpty passes values, demand and a failure through`() {
    let upstream = Source()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.replaceEmpty(with: 7).subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send(1) == .max(2))
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    let failing = TestSubscriber<Int, Broken>()
    Fail(error: Broken()).replaceEmpty(with: 7).subscribe(failing)
    #expect(failing.events == [.subscription, .completion(.failure(Broken()))])
  }

  @Test func `O6: replaceEmpty lets go of its value at the first other, and at a cancel`() {
    for isCancelled in [false, true] {
      let gone = Notes<Int>()
      let upstream = TestPublisher<Token, Never>()
      let subscriber = TestSubscriber<Token, Never>(initialDemand: .max(1))
      upstream.replaceEmpty(with: Token(1, gone)).subscribe(subscriber)
      #expect(gone.all == [])
      if isCancelled { subscriber.cancel() } else { upstream.send(Token()) }
      #expect(gone.all == [1])
      subscriber.cancel()
    }
  }

  @Test func `D7: a value that is released may cancel`() {
    let held = Shared<AnyCancellable?>(nil)
    let upstream = PassthroughSubject<Token, Never>()
    let received = Shared(0)
    held.value = upstream.replaceEmpty(with: Token { held.value?.cancel() }).sink { _ in
      received.increment()
    }
    upstream.send(Token())
    #expect(received.value == 0)
    held.value = nil
  }

  @Test func `D8: the finish and requests that race deliver the last value once`() {
    for _ in 0..<500 {
      let upstream = Source()
      let array = TestSubscriber<[Int], Broken>(initialDemand: .none)
      let value = TestSubscriber<Int, Broken>(initialDemand: .none)
      upstream.collect(2).subscribe(array)
      upstream.filter { _ in false }.replaceEmpty(with: 7).subscribe(value)
      upstream.send(4)
      let isOver = race(
        { upstream.send(completion: .finished) },
        {
          array.request(.max(1))
          value.request(.max(1))
        },
        {
          value.request(.max(1))
          array.request(.max(1))
        })
      #expect(isOver)
      #expect(array.events == [.subscription, .value([4]), .completion(.finished)])
      #expect(value.events == [.subscription, .value(7), .completion(.finished)])
      #expect(array.violations + value.violations == [])
    }
  }
}
