import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

// Rules of Reactive Streams that no other test shows as directly. The page of that name lists the
// tests of each rule.
struct ReactiveStreamsTests {
  /// Returns whether a subscriber received one subscription, and nothing before it.
  private func isToldOnceAndFirst<P: Publisher>(
    _ publisher: P, asking demand: Subscribers.Demand
  ) -> Bool where P.Output == Int {
    let subscriber = TestSubscriber<Int, P.Failure>(initialDemand: demand)
    publisher.subscribe(subscriber)
    defer { subscriber.cancel() }
    var count = 0
    for event in subscriber.events { if case .subscription = event { count += 1 } }
    guard case .subscription? = subscriber.events.first else { return false }
    return count == 1 && subscriber.violations == []
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1), .unlimited])
  func `D1 D10: every publisher tells of one subscription, first, also when it has ended`(
    demand: Subscribers.Demand
  ) {
    for source in ColdSource.allCases {
      #expect(isToldOnceAndFirst(source.publisher, asking: demand), "\(source)")
    }
    #expect(isToldOnceAndFirst(Empty<Int, Broken>(), asking: demand))
    #expect(isToldOnceAndFirst(Empty<Int, Broken>(completeImmediately: false), asking: demand))
    #expect(isToldOnceAndFirst(Fail<Int, Broken>(error: Broken()), asking: demand))
    #expect(isToldOnceAndFirst([Int]().publisher, asking: demand))
    for kind in SubjectKind.allCases {
      let subject = kind.make()
      #expect(isToldOnceAndFirst(AnyPublisher(subject), asking: demand))
      subject.send(completion: .failure(Broken()))
      #expect(isToldOnceAndFirst(AnyPublisher(subject), asking: demand))
    }
  }

  @Test(arguments: ColdSource.allCases)
  func `D8 D9: there may be fewer values than were asked for, and then the end`(
    source: ColdSource
  ) {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1000))
    source.publisher.subscribe(subscriber)
    #expect(subscriber.values == source.values)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases, [true, false])
  func `D2 D8: in whatever way subscribers ask, all get the same in the same order`(
    kind: SubjectKind, ends: Bool
  ) {
    let subject = kind.make()
    let subscribers: [TestSubscriber<Int, Broken>] = [
      TestSubscriber(),
      TestSubscriber(initialDemand: .max(200)),
      TestSubscriber(initialDemand: .max(1)) { _, _ in .max(1) },
      TestSubscriber(initialDemand: .max(1)) { subscriber, _ in
        subscriber.request(.max(1))
        return .none
      },
      TestSubscriber(initialDemand: .max(2)) { _, value in value % 2 == 0 ? .max(2) : .none },
    ]
    for subscriber in subscribers { subject.subscribe(subscriber) }
    for value in 1...99 { subject.send(value) }
    if ends { subject.send(completion: .finished) }
    for subscriber in subscribers {
      #expect(subscriber.values == kind.replay + (1...99))
      #expect(subscriber.completion == (ends ? .finished : nil))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7 D9: inside the completion a subscriber may ask, cancel, send and subscribe`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let next = TestSubscriber<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { subscriber in
      subscriber.request(.unlimited)
      subject.send(2)
      subject.send(completion: .failure(Broken()))
      subject.subscribe(next)
      subscriber.cancel()
      subscriber.request(.max(1))
    })
    subject.subscribe(subscriber)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(subscriber.values == kind.replay + [1])
    #expect(subscriber.events.last == .completion(.finished))
    #expect(next.events == [.subscription, .completion(.finished)])
    #expect(subscriber.violations + next.violations == [])
  }

  /// Asks and cancels again and again after a cancel; says what came after it.
  private func whatComesAfterCancel<P: Publisher>(
    _ publisher: P, thenSending send: () -> Void = {}
  ) -> Int where P.Output == Int {
    let subscriber = TestSubscriber<Int, P.Failure>(initialDemand: .none)
    publisher.subscribe(subscriber)
    let subscription = subscriber.subscription
    subscriber.cancel()
    let count = subscriber.events.count
    for demand in [Subscribers.Demand.none, .max(1), .max(Int.max), .unlimited] {
      subscription?.request(demand)
      subscription?.cancel()
      send()
    }
    return subscriber.events.count - count
  }

  @Test func `D7 D8: after a cancel, cancelling and asking again do nothing`() {
    for source in ColdSource.allCases {
      #expect(whatComesAfterCancel(source.publisher) == 0, "\(source)")
    }
    for kind in SubjectKind.allCases {
      let subject = kind.make()
      let stays = TestSubscriber<Int, Broken>()
      subject.subscribe(stays)
      #expect(whatComesAfterCancel(AnyPublisher(subject), thenSending: { subject.send(1) }) == 0)
      #expect(stays.values == kind.replay + [1, 1, 1, 1])
      stays.cancel()
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D9: a failure of one upstream of a subject goes to all its subscribers, once`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let subscribers = [Subscribers.Demand.unlimited, .max(9), .none].map {
      TestSubscriber<Int, Broken>(initialDemand: $0)
    }
    for subscriber in subscribers { subject.subscribe(subscriber) }
    let upstreams = [TestPublisher<Int, Broken>(), TestPublisher()]
    let feeds = upstreams.map { $0.subscribe(subject) }
    upstreams[0].send(1)
    upstreams[1].send(2)
    upstreams[0].send(completion: .failure(Broken()))
    upstreams[1].send(3)
    upstreams[1].send(completion: .finished)
    for subscriber in subscribers.dropLast() {
      #expect(subscriber.values == kind.replay + [1, 2])
    }
    for subscriber in subscribers {
      #expect(subscriber.events.last == .completion(.failure(Broken())))
      #expect(subscriber.violations == [])
    }
    feeds.forEach { $0.cancel() }
  }
}

struct ReactiveStreamsRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D7 D8: several threads may ask and cancel one subscription at once`(kind: SubjectKind) {
    for _ in 0..<100 {
      let subject = kind.make()
      let leaves = TestSubscriber<Int, Broken>(initialDemand: .none)
      let stays = TestSubscriber<Int, Broken>()
      subject.subscribe(leaves)
      subject.subscribe(stays)
      let ask: @Sendable () -> Void = { for _ in 0..<10 { leaves.request(.max(1)) } }
      let cancel: @Sendable () -> Void = { leaves.subscription?.cancel() }
      let send: @Sendable () -> Void = { for value in 1...20 { subject.send(value) } }
      #expect(race(ask, cancel, ask, cancel, send))
      let count = leaves.values.count
      leaves.request(.unlimited)
      subject.send(21)
      #expect(leaves.values.count == count)
      // Some may have been dropped or replaced (D16), but none comes twice or too late.
      #expect(zip(leaves.values, leaves.values.dropFirst()).allSatisfy { $0 < $1 })
      #expect(stays.values == kind.replay + (1...21))
      stays.cancel()
    }
  }
}
