import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct FlatMapTests {
  private typealias Inner = TestPublisher<Int, Broken>

  /// A flatMap over an upstream that is driven by hand, of as many inner publishers.
  private struct Made {
    let upstream = TestPublisher<Int, Broken>()
    let inners = (0..<5).map { _ in TestPublisher<Int, Broken>() }
    let subscriber: TestSubscriber<Int, Broken>

    init(
      _ maxPublishers: Subscribers.Demand = .unlimited, demand: Subscribers.Demand = .none,
      demandFor: @escaping @Sendable (TestSubscriber<Int, Broken>, Int) -> Subscribers.Demand = {
        _, _ in .none
      }
    ) {
      subscriber = TestSubscriber(initialDemand: demand, demandFor: demandFor)
      upstream.flatMap(maxPublishers: maxPublishers) { [inners] in inners[$0] }
        .subscribe(subscriber)
    }
  }

  @Test func `D8: the upstream is asked for the maximum, and for one more with each that finishes`()
  {
    let made = Made(.max(2))
    #expect(made.upstream.requests == [.max(2)])
    (0...1).forEach(made.upstream.send)
    #expect(made.inners.map(\.subscriptionCount) == [1, 1, 0, 0, 0])
    #expect(made.upstream.requests == [.max(2)])
    made.inners[1].send(completion: .finished)
    #expect(made.upstream.requests == [.max(2), .max(1)])
    made.upstream.send(2)
    made.inners[0].send(completion: .finished)
    #expect(made.upstream.requests == [.max(2), .max(1), .max(1)])
    made.upstream.send(completion: .finished)
    #expect(made.subscriber.completion == nil)
    made.inners[2].send(completion: .finished)
    #expect(made.upstream.requests.count == 3)
    #expect(made.subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test func `D8: a value that nobody asked for makes no publisher beyond the maximum`() {
    let made = Made(.max(2))
    (0...2).forEach(made.upstream.send)
    #expect(made.inners.map(\.subscriptionCount) == [1, 1, 0, 0, 0])
    made.inners[0].send(completion: .finished)
    made.upstream.send(3)
    #expect(made.inners.map(\.subscriptionCount) == [1, 1, 0, 1, 0])
    made.subscriber.cancel()
  }

  @Test func `D8: without a maximum the upstream is asked once`() {
    let made = Made()
    made.upstream.send(0)
    made.inners[0].send(completion: .finished)
    #expect(made.upstream.requests == [.unlimited])
    made.subscriber.cancel()
  }

  @Test func `D8: an inner is asked for one at a time, and for the next when that is delivered`() {
    let made = Made()
    (0...1).forEach(made.upstream.send)
    #expect(made.inners[0].requests == [.max(1)])
    made.inners[0].send(10)
    made.inners[1].send(20)
    #expect(made.inners[0].requests == [.max(1)])
    made.subscriber.request(.max(1))
    #expect(made.subscriber.values == [10])
    #expect(made.inners[0].requests == [.max(1), .max(1)])
    #expect(made.inners[1].requests == [.max(1)])
    made.inners[0].send(11)
    made.subscriber.request(.max(2))
    #expect(made.subscriber.values == [10, 20, 11])
    #expect(made.inners[0].requests == [.max(1), .max(1), .max(1)])
    #expect(made.inners[1].requests == [.max(1), .max(1)])
    #expect(made.subscriber.violations == [])
    made.subscriber.cancel()
  }

  @Test func `D8: inners are asked for everything if everything is wanted`() {
    let made = Made(demand: .unlimited)
    made.upstream.send(0)
    #expect(made.inners[0].requests == [.unlimited])
    (1...3).forEach { made.inners[0].send($0) }
    #expect(made.inners[0].requests == [.unlimited])
    #expect(made.subscriber.values == [1, 2, 3])
    made.subscriber.cancel()
  }

  @Test func `D8: everything may be asked for later, or by receive(_:)`() {
    let asked = Made()
    (0...1).forEach(asked.upstream.send)
    asked.inners[0].send(1)
    asked.subscriber.request(.unlimited)
    #expect(asked.subscriber.values == [1])
    #expect(asked.inners.prefix(2).map { $0.requests.last } == [.unlimited, .unlimited])
    asked.upstream.send(2)
    #expect(asked.inners[2].requests == [.unlimited])
    let returned = Made(demand: .max(1), demandFor: { _, _ in .unlimited })
    (0...1).forEach(returned.upstream.send)
    returned.inners[0].send(1)
    #expect(returned.inners[0].requests == [.max(1), .unlimited])
    #expect(returned.inners[1].requests == [.max(1), .unlimited])
    for made in [asked, returned] {
      (2...3).forEach { made.inners[1].send($0) }
      #expect(made.subscriber.values == [1, 2, 3])
      #expect(made.subscriber.violations == [])
      made.subscriber.cancel()
    }
  }

  @Test func `D9: it finishes when all have, behind the values that wait`() {
    let made = Made()
    made.upstream.send(0)
    made.inners[0].send(1)
    made.inners[0].send(completion: .finished)
    made.upstream.send(completion: .finished)
    #expect(made.subscriber.events == [.subscription])
    made.subscriber.request(.max(1))
    #expect(made.subscriber.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test(arguments: [true, false])
  func `D9, L4: a failure cancels the others, then comes behind what waits`(isInner: Bool) {
    let made = Made()
    (0...2).forEach(made.upstream.send)
    made.inners[0].send(1)
    if isInner {
      made.inners[1].send(completion: .failure(Broken()))
    } else {
      made.upstream.send(completion: .failure(Broken()))
    }
    #expect(made.inners.map(\.cancelCount) == [1, isInner ? 0 : 1, 1, 0, 0])
    #expect(made.upstream.cancelCount == (isInner ? 1 : 0))
    made.inners[2].send(2)
    made.upstream.send(3)
    #expect(made.inners[3].subscriptionCount == 0)
    made.subscriber.request(.unlimited)
    #expect(made.subscriber.events == [.subscription, .value(1), .completion(.failure(Broken()))])
    #expect(made.subscriber.violations == [])
  }

  @Test func `D7: a cancel inside the closure subscribes to nothing`() {
    let upstream = TestPublisher<Int, Broken>()
    let inner = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.flatMap { [unowned subscriber] _ in
      subscriber.cancel()
      return inner
    }.subscribe(subscriber)
    upstream.send(1)
    #expect(inner.subscriptionCount == 0)
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.events == [.subscription])
  }

  @Test func `D7: a cancel inside the delivery of an inner`() {
    let made = Made(demand: .unlimited) { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    (0...1).forEach(made.upstream.send)
    made.inners[0].send(1)
    made.inners[1].send(2)
    #expect(made.inners.prefix(2).map(\.cancelCount) == [1, 1])
    #expect(made.upstream.cancelCount == 1)
    #expect(made.subscriber.values == [1])
    #expect(made.subscriber.violations == [])
  }

  @Test func `D7: cancelled inside receive(subscription:), the upstream is not subscribed to`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { $0.cancel() })
    upstream.flatMap { _ in Empty<Int, Broken>() }.subscribe(subscriber)
    #expect(upstream.subscriptionCount == 0)
  }

  @Test func `O2: a cancel releases values, closure, subscriber and inners at once`() {
    let upstream = TestPublisher<Int, Broken>()
    let inner = TestPublisher<Token, Broken>()
    let released = Shared(0)
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    let subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Token, Broken>(initialDemand: .none)
      weakSubscriber = subscriber
      let token = Token { released.increment() }
      upstream.flatMap { _ in
        withExtendedLifetime(token) {}
        return inner
      }.subscribe(subscriber)
      subscription = subscriber.subscription
    }
    upstream.send(1)
    inner.send(Token { released.increment() })
    weak let weakInner = inner.subscriptions[0]
    inner.forgetSubscriptions()
    #expect(weakInner != nil)
    subscription?.cancel()
    #expect(weakSubscriber == nil)
    #expect(weakInner == nil)
    #expect(released.value == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func `O2: the closure goes with the upstream's end`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    let released = Shared(0)
    do {
      let token = Token { released.increment() }
      upstream.flatMap { _ in
        withExtendedLifetime(token) {}
        return Empty<Int, Broken>(completeImmediately: false)
      }.subscribe(subscriber)
    }
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(released.value == 1)
    #expect(subscriber.completion == nil)
    subscriber.cancel()
  }

  /// A publisher that never sends a subscription, and releases its subscriber or keeps it.
  private struct Silent: Publisher {
    typealias Output = Int
    typealias Failure = Broken
    let kept: Shared<[AnySubscriber<Int, Broken>]>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
      kept?.change { $0.append(AnySubscriber(subscriber)) }
    }
  }

  @Test func `an inner that never gives a subscription holds its place until the cancel`() {
    let kept = Shared<[AnySubscriber<Int, Broken>]>([])
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.flatMap(maxPublishers: .max(1)) { $0 == 0 ? Silent(kept: kept) : Silent(kept: nil) }
      .subscribe(subscriber)
    (0...1).forEach(upstream.send)
    upstream.send(completion: .finished)
    #expect(upstream.requests == [.max(1)])
    #expect(subscriber.events == [.subscription])
    subscriber.cancel()
    // A subscription that comes too late is cancelled.
    let late = TestPublisher<Int, Broken>()
    if let silent = kept.value.first { late.subscribe(silent) }
    #expect(late.cancelCount == 1)
    kept.value = []
  }

  @Test func `a second subscription of an inner is cancelled`() {
    let made = Made(demand: .unlimited)
    let subscriber = TestSubscriber<Int, Broken>()
    let both = Array(made.inners.prefix(2))
    made.upstream.flatMap { _ in SubscribesTwice(both[0], both[1]) }.subscribe(subscriber)
    made.upstream.subscriptions[1].send(0)
    #expect(both.map(\.cancelCount) == [0, 1])
    subscriber.cancel()
    made.subscriber.cancel()
  }

  @Test func `synchronous inners in order, whatever the demand`() {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      for maxPublishers in [Subscribers.Demand.unlimited, .max(1), .max(2)] {
        let subscriber = TestSubscriber<Int, Never>(
          initialDemand: demand, demandFor: { _, _ in demand })
        (0..<4).publisher.flatMap(maxPublishers: maxPublishers) { row in
          (row * 10..<row * 10 + 3).publisher
        }.subscribe(subscriber)
        let all = (0..<4).flatMap { Array($0 * 10..<$0 * 10 + 3) }
        #expect(subscriber.values.sorted() == all)
        if maxPublishers == .max(1) { #expect(subscriber.values == all) }
        #expect(subscriber.completion == .finished)
        #expect(subscriber.violations == [])
      }
    }
  }
}

@Suite(.noLeaks) struct FlatMapRaceTests {
  @Test func `D4: inners on several threads, each in its order`() {
    for _ in 0..<100 {
      let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
      let subscriber = TestSubscriber<Int, Never>()
      (0..<3).publisher.flatMap { subjects[$0] }.subscribe(subscriber)
      let isOver = race(
        subjects.enumerated().map { index, subject in
          {
            for value in 0..<50 { subject.send(index * 100 + value) }
            subject.send(completion: .finished)
          }
        })
      #expect(isOver)
      for index in 0..<3 {
        #expect(subscriber.values.filter { $0 / 100 == index } == (0..<50).map { index * 100 + $0 })
      }
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D7, O2: a cancel that races with values, new inners and their ends`() {
    for _ in 0..<150 {
      let upstream = PassthroughSubject<Int, Never>()
      let inner = PassthroughSubject<Token, Never>()
      let released = Shared(0)
      let subscriber = Shared<TestSubscriber<Token, Never>?>(.init(initialDemand: .max(10)))
      if let subscriber = subscriber.value {
        upstream.flatMap { _ in inner.prefix(3) }.subscribe(subscriber)
      }
      let isOver = race(
        { for value in 0..<20 { upstream.send(value) } },
        { for id in 0..<20 { inner.send(Token(id) { released.increment() }) } },
        { subscriber.value?.request(.unlimited) },
        { subscriber.value?.cancel() })
      #expect(isOver)
      #expect(subscriber.value?.violations == [])
      subscriber.value = nil
      #expect(released.value == 20)
      inner.send(completion: .finished)
    }
  }
}
