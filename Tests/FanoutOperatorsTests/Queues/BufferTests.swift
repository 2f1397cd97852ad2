import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct BufferTests {
  private typealias Strategy = Publishers.BufferingStrategy<Broken>

  /// Returns a buffer's upstream and its subscriber, which has requested nothing yet.
  private func made(
    size: Int, _ prefetch: Publishers.PrefetchStrategy, _ whenFull: Strategy,
    initialDemand: Subscribers.Demand = .none
  ) -> (upstream: TestPublisher<Int, Broken>, subscriber: TestSubscriber<Int, Broken>) {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: initialDemand)
    upstream.buffer(size: size, prefetch: prefetch, whenFull: whenFull).subscribe(subscriber)
    return (upstream, subscriber)
  }

  @Test func `D8: keepFull asks for its size, and for one more with each that is delivered`() {
    let (upstream, subscriber) = made(size: 3, .keepFull, .dropNewest)
    #expect(upstream.requests == [.max(3)])
    (1...3).forEach(upstream.send)
    #expect(upstream.requests == [.max(3)])
    subscriber.request(.max(2))
    #expect(subscriber.values == [1, 2])
    #expect(upstream.requests == [.max(3), .max(1), .max(1)])
    (4...5).forEach(upstream.send)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(upstream.requests.count == 6)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: byRequest asks for everything, once`() {
    let (upstream, subscriber) = made(size: 3, .byRequest, .dropNewest)
    (1...3).forEach(upstream.send)
    subscriber.request(.max(2))
    subscriber.request(.max(2))
    upstream.send(4)
    #expect(upstream.requests == [.unlimited])
    #expect(subscriber.values == [1, 2, 3, 4])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `what does not fit is dropped, by dropNewest`() {
    let (upstream, subscriber) = made(size: 2, .byRequest, .dropNewest)
    (1...4).forEach(upstream.send)
    subscriber.request(.max(1))
    (5...6).forEach(upstream.send)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 5])
    subscriber.cancel()
  }

  @Test func `what was kept longest is dropped, by dropOldest`() {
    let (upstream, subscriber) = made(size: 2, .byRequest, .dropOldest)
    (1...4).forEach(upstream.send)
    subscriber.request(.max(1))
    (5...6).forEach(upstream.send)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [3, 5, 6])
    subscriber.cancel()
  }

  @Test func `D9: customError cancels at once, and fails behind what is kept`() {
    let made = Shared(0)
    let (upstream, subscriber) = made2(size: 2) {
      made.increment()
      return Broken()
    }
    let feed = upstream.subscriptions[0]
    (1...2).forEach(upstream.send)
    #expect(feed.cancelCount == 0)
    (3...5).forEach { feed.send($0) }
    #expect(feed.cancelCount == 1)
    #expect(made.value == 1)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.values == [1])
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(
      subscriber.events == [.subscription, .value(1), .value(2), .completion(.failure(Broken()))])
    #expect(subscriber.violations == [])
  }

  private func made2(
    size: Int, _ makeError: @escaping @Sendable () -> Broken
  ) -> (upstream: TestPublisher<Int, Broken>, subscriber: TestSubscriber<Int, Broken>) {
    made(size: size, .byRequest, .customError(makeError))
  }

  @Test func `D7: an error's closure that cancels is the last that happens`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.buffer(
      size: 0, prefetch: .byRequest,
      whenFull: .customError { [unowned subscriber] in
        subscriber.cancel()
        return Broken()
      }
    ).subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.events == [.subscription])
    #expect(upstream.cancelCount == 1)
  }

  @Test(arguments: [0, 1, 2])
  func `with a size of 0, asked for everything, every value is one that does not fit`(
    strategy: Int
  ) {
    let whenFull: Strategy =
      switch strategy {
      case 0: .dropNewest
      case 1: .dropOldest
      default: .customError { Broken() }
      }
    let (upstream, subscriber) = made(size: 0, .byRequest, whenFull, initialDemand: .unlimited)
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    #expect(subscriber.values == [])
    #expect(subscriber.completion == (strategy == 2 ? .failure(Broken()) : nil))
    subscriber.cancel()
  }

  @Test func `D8: a size of 0 that is kept full passes demand through`() {
    let (upstream, subscriber) = made(size: 0, .keepFull, .customError { Broken() })
    #expect(upstream.requests == [])
    subscriber.request(.max(2))
    #expect(upstream.requests == [.max(2)])
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(
      subscriber.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: a size of 0 that is kept full delivers everything, and ends`() {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(1), demandFor: { _, _ in .max(1) })
    (1...5).publisher.buffer(size: 0, prefetch: .keepFull, whenFull: .dropNewest)
      .subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    let ended = TestSubscriber<Int, Never>(initialDemand: .none)
    Empty().buffer(size: 0, prefetch: .keepFull, whenFull: .dropOldest).subscribe(ended)
    #expect(ended.completion == .finished)
  }

  @Test(arguments: [Subscribers.Completion<Broken>.finished, .failure(Broken())])
  func `D9: what is kept comes before the end`(end: Subscribers.Completion<Broken>) {
    let (upstream, subscriber) = made(size: 3, .byRequest, .dropNewest)
    (1...2).forEach(upstream.send)
    upstream.send(completion: end)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(1), .value(2), .completion(end)])
    #expect(subscriber.violations == [])
  }

  @Test func `D9: the end needs no demand if nothing is kept`() {
    let (upstream, subscriber) = made(size: 3, .keepFull, .dropNewest)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test func `O2: a cancel releases what is kept, the closure and the subscriber at once`() {
    let upstream = TestPublisher<Token, Broken>()
    let error = Token()
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    let subscription: (any Subscription)?
    let released = Shared(0)
    do {
      let subscriber = TestSubscriber<Token, Broken>(initialDemand: .none)
      weakSubscriber = subscriber
      let token = Token { released.increment() }
      upstream.buffer(
        size: 5, prefetch: .byRequest,
        whenFull: .customError {
          withExtendedLifetime(token) {}
          return Broken()
        }
      ).subscribe(subscriber)
      subscription = subscriber.subscription
    }
    for _ in 0..<3 { upstream.send(Token { released.increment() }) }
    upstream.forgetSubscriptions()
    #expect(weakSubscriber != nil)
    #expect(released.value == 0)
    subscription?.cancel()
    #expect(weakSubscriber == nil)
    #expect(released.value == 4)
    withExtendedLifetime((subscription, error)) {}
  }

  @Test func `O6: a value that is replaced is released at once`() {
    let upstream = TestPublisher<Token, Broken>()
    let subscriber = TestSubscriber<Token, Broken>(initialDemand: .none)
    upstream.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
    let released = Notes<Int>()
    for id in 1...5 { upstream.send(Token(id) { released.append(id) }) }
    #expect(released.all == [1, 2, 3])
    subscriber.cancel()
    #expect(released.all == [1, 2, 3, 4, 5])
  }

  @Test func `D3: a send inside a delivery waits its turn`() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never> { [unowned subject] _, value in
      if value < 4 { subject.send(value + 1) }
      return .none
    }
    subject.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    subject.send(1)
    #expect(subscriber.values == [1, 2, 3, 4])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `a value that is delivered at once takes no place of those that wait`() {
    let (upstream, subscriber) = made(
      size: 1, .byRequest, .dropNewest, initialDemand: .max(2))
    (1...4).forEach(upstream.send)
    #expect(subscriber.values == [1, 2])
    subscriber.request(.max(2))
    #expect(subscriber.values == [1, 2, 3])
    upstream.send(5)
    #expect(subscriber.values == [1, 2, 3, 5])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: [false, true])
  func `Q1: nothing follows an overflow, although what was kept is delivered by then`(ends: Bool) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.buffer(
      size: 1, prefetch: .byRequest,
      whenFull: .customError { [unowned upstream, unowned subscriber] in
        subscriber.request(.unlimited)
        if ends { upstream.send(completion: .finished) } else { upstream.send(3) }
        return Broken()
      }
    ).subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    #expect(subscriber.values == [1])
    #expect(subscriber.completion == .failure(Broken()))
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test func `D7: a cancel inside a delivery is the last that happens`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none) { subscriber, value in
      if value == 2 { subscriber.cancel() }
      return .none
    }
    upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    (1...5).forEach(upstream.send)
    upstream.send(completion: .finished)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test func `D1: what is asked for inside receive(subscription:) comes after it`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2))
    (1...5).publisher.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
      .subscribe(subscriber)
    #expect(subscriber.values == [1, 2])
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 3, 4, 5])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `a second subscription is cancelled`() {
    let upstream = TestPublisher<Int, Broken>()
    let second = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    SubscribesTwice(upstream, second).buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
      .subscribe(subscriber)
    #expect(second.cancelCount == 1)
    #expect(upstream.cancelCount == 0)
    #expect(subscriber.events == [.subscription])
    subscriber.cancel()
  }
}

@Suite(.noLeaks) struct BufferRaceTests {
  @Test func `D4, D8: no value is lost or delivered twice while threads send and ask`() {
    for _ in 0..<100 {
      let subject = PassthroughSubject<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        .subscribe(subscriber)
      let isOver = race(
        { for value in 0..<100 { subject.send(value) } },
        { for value in 100..<200 { subject.send(value) } },
        { for _ in 0..<150 { subscriber.request(.max(1)) } })
      #expect(isOver)
      #expect(subscriber.values.count == 150)
      subscriber.request(.unlimited)
      #expect(subscriber.values.filter { $0 < 100 } == Array(0..<100))
      #expect(subscriber.values.filter { $0 >= 100 } == Array(100..<200))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D7, O2: a cancel that races with sends and requests lets go of everything`() {
    for _ in 0..<150 {
      let subject = PassthroughSubject<Token, Never>()
      let released = Shared(0)
      let subscriber = Shared<TestSubscriber<Token, Never>?>(.init(initialDemand: .none))
      if let subscriber = subscriber.value {
        subject.buffer(size: 20, prefetch: .byRequest, whenFull: .dropOldest)
          .subscribe(subscriber)
      }
      let isOver = race(
        { for id in 0..<50 { subject.send(Token(id) { released.increment() }) } },
        { for _ in 0..<20 { subscriber.value?.request(.max(1)) } },
        { subscriber.value?.cancel() })
      #expect(isOver)
      #expect(subscriber.value?.violations == [])
      subscriber.value = nil
      #expect(released.value == 50)
    }
  }
}
