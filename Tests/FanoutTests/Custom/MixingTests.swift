import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Publishers, subjects and subscribers written from the public protocols alone, mixed with sharing.
struct MixingTests {
  @Test(arguments: Policy.lossless)
  func `a user's publisher, shared, feeds a user's subscriber in batches`(policy: Policy) {
    let share = Countdown(start: 10).map { $0 * 10 }.share(replay: policy.replay)
    let subscriber = BatchSubscriber<Int>(size: 4)
    share.subscribe(subscriber)
    #expect(subscriber.batches.all == [[100, 90, 80, 70], [60, 50, 40, 30], [20, 10]])
    #expect(subscriber.isFinished.isOpen)
    let late = BatchSubscriber<Int>(size: 1)
    share.subscribe(late)
    let replay = policy.remembered(of: (1...10).map { $0 * 10 }.reversed())
    #expect(late.batches.all.flatMap { $0 } == replay)
    #expect(late.isFinished.isOpen)
  }

  @Test func `a user's subject in the middle: multicast gives it the values, it gives them on`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let subject = UserSubject<Int, Broken>()
    let multicast = upstream.multicast(subject: subject)
    let share = multicast.autoconnect()
    let subscribers = (0..<2).map { _ in TestSubscriber<Int, Broken>() }
    subscribers.forEach(share.subscribe)
    upstream.send(1)
    // By itself, too.
    subject.send(2)
    upstream.send(3)
    subscribers[0].cancel()
    upstream.send(4)
    upstream.send(completion: .finished)
    #expect(subscribers[0].values == [1, 2, 3])
    #expect(subscribers[1].values == [1, 2, 3, 4])
    #expect(subscribers[1].completion == .finished)
    #expect(subscribers.flatMap(\.violations) == [])
  }

  @Test func `D17 D8: a user's subject that asks for two gets two`() {
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, demand in
      for value in 1...(demand.max ?? 9) { subscription.send(value) }
    })
    let multicast = upstream.multicast {
      UserSubject<Int, Broken>(upstreamDemand: .max(2))
    }
    let subscriber = TestSubscriber<Int, Broken>()
    multicast.subscribe(subscriber)
    let claim = multicast.connect()
    #expect(subscriber.values == [1, 2])
    claim.cancel()
    subscriber.cancel()
  }

  @Test func `D1: the subscription of a multicast guards a user's subject's calls`() {
    // The user's subject passes on whatever it is sent, also after a cancel: nothing comes through.
    let upstream = PassthroughSubject<Int, Broken>()
    let subject = UserSubject<Int, Broken>()
    let multicast = upstream.multicast(subject: subject)
    let subscriber = TestSubscriber<Int, Broken>(demandFor: { subscriber, value in
      if value == 2 { subscriber.cancel() }
      return .none
    })
    multicast.subscribe(subscriber)
    for value in 1...3 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .value(2)])
    #expect(subscriber.violations == [])
  }

  @Test func `L1 D12: autoconnect counts for a user's connectable as well`() {
    let upstream = TestPublisher<Int, Broken>()
    let connectable = UserConnectable(
      upstream: upstream, relay: PassthroughSubject<Int, Broken>())
    let share = connectable.autoconnect()
    for round in 1...3 {
      let subscribers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
      subscribers.forEach(share.subscribe)
      upstream.send(round)
      for subscriber in subscribers {
        #expect(subscriber.values == [round])
        #expect(upstream.cancelCount == round - 1)
        subscriber.cancel()
        subscriber.cancel()
      }
      #expect(upstream.subscriptionCount == round)
      #expect(upstream.cancelCount == round)
    }
    #expect(
      connectable.note.all == Array(repeating: ["connect", "disconnect"], count: 3).flatMap { $0 })
  }

  @Test(arguments: Policy.allCases)
  func `L3: after its completion a user's connectable is not connected again`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let connectable = UserConnectable(
      upstream: upstream, relay: ReplaySubject<Int, Broken>(policy.replay))
    let share = connectable.autoconnect()
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    upstream.send(completion: .finished)
    #expect(first.completion == .finished)
    for demand in [Subscribers.Demand.unlimited, .none, .max(1)] {
      let late = TestSubscriber<Int, Broken>(initialDemand: demand)
      share.subscribe(late)
      late.request(.unlimited)
      #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
      #expect(late.completion == .finished)
    }
    #expect(upstream.subscriptionCount == 1)
    #expect(connectable.note.all.filter { $0 == "connect" }.count == 1)
  }

  @Test func `L1: a user's connectable stays connected while one who has not ended needs it`() {
    let upstream = TestPublisher<Int, Never>()
    let connectable = EachOnce(
      base: UserConnectable(upstream: upstream, relay: PassthroughSubject<Int, Never>()))
    let share = connectable.autoconnect()
    let (first, second) = (
      TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>(initialDemand: .none)
    )
    share.subscribe(first)
    share.subscribe(second)
    upstream.send(1)
    #expect(first.completion == .finished)
    #expect(upstream.cancelCount == 0)
    second.request(.max(1))
    upstream.send(2)
    #expect(second.values == [2])
    #expect(second.completion == .finished)
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `D14: a user's connectable that is left inside its connect() is disconnected`() {
    let isDone = finishes {
      let connectable = UserConnectable(
        upstream: (1...9).publisher.setFailure(), relay: PassthroughSubject<Int, Broken>())
      let subscriber = TestSubscriber<Int, Broken>()
      connectable.autoconnect().prefix(2).subscribe(subscriber)
      #expect(subscriber.values == [1, 2])
      #expect(connectable.note.all == ["connect", "disconnect"])
    }
    #expect(isDone)
  }

  @Test func `shares compare by identity, and subscriptions say what they are`() {
    let upstream = PassthroughSubject<Int, Never>()
    let share = upstream.share()
    #expect(share == share)
    #expect(share != upstream.share())
    let subscriber = TestSubscriber<Int, Never>()
    share.subscribe(subscriber)
    #expect(subscriber.subscription.map { "\($0)" } == "Multicast")
    let direct = TestSubscriber<Int, Never>()
    ReplaySubject<Int, Never>(.all).subscribe(direct)
    #expect(direct.subscription.map { "\($0)" } == "ReplaySubject")
    [subscriber, direct].forEach { $0.cancel() }
  }
}

struct MixingRaceTests {
  @Test func `L1: two first subscribers on two threads connect a user's connectable once`() {
    let note = Shared(Notes<String>())
    let make:
      @Sendable () ->
        Publishers.Autoconnect<
          UserConnectable<TestPublisher<Int, Broken>, PassthroughSubject<Int, Broken>>
        > = {
          let connectable = UserConnectable(
            upstream: TestPublisher<Int, Broken>(), relay: PassthroughSubject<Int, Broken>())
          note.value = connectable.note
          return connectable.autoconnect()
        }
    let share = Shared(make())
    let subscribers = Shared<[TestSubscriber<Int, Broken>]>([])
    let wrong = Notes<[String]>()
    together(
      rounds: 300,
      before: { _ in
        share.value = make()
        subscribers.value = (0..<2).map { _ in TestSubscriber() }
      },
      (0..<2).map { index in { _ in share.value.subscribe(subscribers.value[index]) } },
      after: { _ in
        subscribers.value.forEach { $0.cancel() }
        if note.value.all != ["connect", "disconnect"] { wrong.append(note.value.all) }
      })
    #expect(wrong.all == [])
  }

  @Test func `D12: a user's connectable connects anew when its last connection is cancelled`() {
    let (note, share) = (Notes<String>(), Shared<AnyPublisher<Int, Never>?>(nil))
    let second = Shared<AnyCancellable?>(nil)
    let upstream = TestPublisher<Int, Never>()
    let connectable = UserConnectable(
      upstream: upstream.handleEvents(
        receiveSubscription: { _ in note.append("connect") },
        receiveCancel: {
          if second.value == nil { second.value = share.value?.sink { _ in } }
          note.append("cancelled")
        }), relay: PassthroughSubject<Int, Never>())
    share.value = connectable.autoconnect().eraseToAnyPublisher()
    share.value?.sink { _ in }.cancel()
    #expect(note.all == ["connect", "cancelled", "connect"])
    second.value?.cancel()
    #expect(note.all == ["connect", "cancelled", "connect", "cancelled"])
    share.value = nil
  }
}

/// A user's connectable whose subscribers have an end each: after their first value.
private struct EachOnce<Base: ConnectablePublisher & Sendable>: ConnectablePublisher, Sendable {
  typealias Output = Base.Output
  typealias Failure = Base.Failure

  let base: Base

  func connect() -> any Cancellable { base.connect() }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    base.prefix(1).receive(subscriber: subscriber)
  }
}

/// A user's operator: a publisher that can fail in type and never does.
private struct NeverFailing<Upstream: Publisher<Int, Never> & Sendable>: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Broken

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Broken {
    upstream.receive(subscriber: Inner(downstream: subscriber))
  }

  private struct Inner<S: Subscriber>: Subscriber where S.Input == Int {
    typealias Input = Int
    typealias Failure = Never

    let downstream: S
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
    func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }
    func receive(completion: Subscribers.Completion<Never>) {
      downstream.receive(completion: .finished)
    }
  }
}

extension Publisher where Self: Sendable, Output == Int, Failure == Never {
  fileprivate func setFailure() -> NeverFailing<Self> { NeverFailing(upstream: self) }
}
