import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D17AskingTests {
  @Test(arguments: Policy.remembering)
  func `D17: where the cache remembers, upstream is asked for everything at connect`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    var claim = AnyCancellable(multicast.connect())
    #expect(upstream.requests == [.unlimited])
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    multicast.subscribe(subscriber)
    subscriber.request(.max(3))
    #expect(upstream.requests == [.unlimited])
    claim.cancel()
    claim = AnyCancellable(multicast.connect())
    #expect(upstream.subscriptions.map(\.requests) == [[.unlimited], [.unlimited]])
    subscriber.cancel()
    claim.cancel()

    let sharedUpstream = TestPublisher<Int, Broken>()
    let share = sharedUpstream.share(replay: policy.replay)
    let unasking = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(unasking)
    #expect(sharedUpstream.requests == [.unlimited])
    unasking.cancel()
  }

  /// Forms that remember nothing.
  private func forgetful(_ upstream: TestPublisher<Int, Never>) -> [(
    publisher: AnyPublisher<Int, Never>, connect: () -> AnyCancellable
  )] {
    func form<P: ConnectablePublisher<Int, Never>>(_ connectable: P) -> (
      AnyPublisher<Int, Never>, () -> AnyCancellable
    ) {
      (connectable.eraseToAnyPublisher(), { AnyCancellable(connectable.connect()) })
    }
    return [
      form(upstream.multicast { PassthroughSubject<Int, Never>() }),
      form(upstream.multicast(subject: PassthroughSubject<Int, Never>())),
      form(upstream.multicast(replay: .none)),
      form(upstream.makeConnectable()),
    ]
  }

  @Test(arguments: 0..<4)
  func `D17: where it does not, upstream is asked at the first request, for everything, once`(
    index: Int
  ) {
    let upstream = TestPublisher<Int, Never>()
    let (publisher, connect) = forgetful(upstream)[index]
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>(initialDemand: .none) }
    publisher.subscribe(subscribers[0])
    let claim = connect()
    publisher.subscribe(subscribers[1])
    subscribers[0].request(.none)
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.requests == [])
    subscribers[1].request(.max(2))
    #expect(upstream.requests == [.unlimited])
    subscribers[0].request(.unlimited)
    publisher.subscribe(subscribers[2])
    subscribers[2].request(.max(1))
    #expect(upstream.requests == [.unlimited])
    subscribers.forEach { $0.cancel() }
    claim.cancel()
  }

  @Test(arguments: 0..<4)
  func `D17: a cold source does not run past who is attached and has not asked`(index: Int) {
    // The source answers at once with all it has.
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in
      for value in 1...3 { subscription.send(value) }
      subscription.send(completion: .finished)
    })
    let (publisher, connect) = forgetful(upstream)[index]
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    publisher.subscribe(subscriber)
    let claim = connect()
    #expect(subscriber.events == [.subscription])
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    claim.cancel()
  }

  @Test(arguments: 0..<4)
  func `D17: it is asked at connect if somebody attached has asked before`(index: Int) {
    let upstream = TestPublisher<Int, Never>()
    let (publisher, connect) = forgetful(upstream)[index]
    let asking = TestSubscriber<Int, Never>(initialDemand: .max(1))
    publisher.subscribe(asking)
    let claim = connect()
    #expect(upstream.requests == [.unlimited])
    claim.cancel()
    asking.cancel()
  }

  @Test(arguments: 0..<4)
  func `D17: who has asked and gone, or has come to the end of asking, does not count`(index: Int) {
    let upstream = TestPublisher<Int, Never>()
    let (publisher, connect) = forgetful(upstream)[index]
    let gone = TestSubscriber<Int, Never>(initialDemand: .max(1))
    publisher.subscribe(gone)
    gone.cancel()
    let attached = TestSubscriber<Int, Never>(initialDemand: .none)
    publisher.subscribe(attached)
    let claim = connect()
    #expect(upstream.requests == [])
    attached.request(.max(1))
    #expect(upstream.requests == [.unlimited])
    claim.cancel()
    attached.cancel()
  }

  @Test(arguments: 0..<4)
  func `D17: nor does who cancels inside of receive, when somebody connects there`(index: Int) {
    let upstream = TestPublisher<Int, Never>()
    let (publisher, connect) = forgetful(upstream)[index]
    let claims = Shared<[AnyCancellable]>([])
    let reconnect = Shared<() -> Void>({})
    let leaving = TestSubscriber<Int, Never>(
      initialDemand: .max(1),
      demandFor: { subscriber, _ in
        subscriber.cancel()
        reconnect.value()
        return .none
      })
    let attached = TestSubscriber<Int, Never>(initialDemand: .none)
    publisher.subscribe(leaving)
    publisher.subscribe(attached)
    claims.value = [connect()]
    reconnect.value = {
      claims.value = []
      claims.value = [connect()]
    }
    upstream.send(1)
    #expect(upstream.subscriptions.map(\.requests) == [[.unlimited], []])
    attached.request(.max(1))
    #expect(upstream.subscriptions.map(\.requests) == [[.unlimited], [.unlimited]])
    upstream.send(2)
    #expect(attached.values == [2])
    reconnect.value = {}
    attached.cancel()
    claims.value = []
  }

  @Test(arguments: 0..<4)
  func `D17: and again after a reconnect`(index: Int) {
    let upstream = TestPublisher<Int, Never>()
    let (publisher, connect) = forgetful(upstream)[index]
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    publisher.subscribe(subscriber)
    connect().cancel()
    #expect(upstream.requests == [])
    subscriber.request(.max(1))
    #expect(upstream.requests == [])
    for round in 2...4 {
      let claim = connect()
      #expect(upstream.subscriptions.map(\.requests).count == round)
      #expect(upstream.subscriptions.last?.requests == [.unlimited])
      claim.cancel()
    }
    subscriber.cancel()
  }

  @Test func `D17: share() asks when a subscriber of it asks`() {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share()
    let attached = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(attached)
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.requests == [])
    let asking = TestSubscriber<Int, Broken>()
    share.subscribe(asking)
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    #expect(attached.values == [])
    #expect(asking.values == [1])
    [attached, asking].forEach { $0.cancel() }
    let next = TestSubscriber<Int, Broken>()
    share.subscribe(next)
    #expect(upstream.requests == [.unlimited, .unlimited])
    next.cancel()
  }

  @Test func `D17: a foreign subject decides for itself`() {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(
      subject: UserSubject<Int, Broken>(upstreamDemand: .max(2)))
    let subscriber = TestSubscriber<Int, Broken>()
    multicast.subscribe(subscriber)
    let claim = multicast.connect()
    #expect(upstream.requests == [.max(2)])
    claim.cancel()
    subscriber.cancel()
  }

  @Test func `D17: a CurrentValueSubject asks at connect`() {
    let upstream = TestPublisher<Int, Broken>()
    let claim = upstream.multicast(subject: CurrentValueSubject<Int, Broken>(0)).connect()
    #expect(upstream.requests == [.unlimited])
    claim.cancel()
  }

  @Test func `D17: a ReplaySubject fed by publishers asks as its policy says`() {
    for policy in Policy.allCases {
      let upstream = TestPublisher<Int, Broken>()
      let subject = ReplaySubject<Int, Broken>(policy.replay)
      let link = upstream.subscribe(subject)
      #expect(upstream.requests == (policy == .none ? [] : [.unlimited]))
      let subscriber = TestSubscriber<Int, Broken>()
      subject.subscribe(subscriber)
      #expect(upstream.requests == [.unlimited])
      upstream.send(1)
      #expect(subscriber.values == [1])
      subscriber.cancel()
      link.cancel()
    }
  }

  @Test(arguments: Policy.allCases)
  func `D17: reconnecting a thousand times keeps no old subscription`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let shares = [
      upstream.multicast(replay: policy.replay).autoconnect().eraseToAnyPublisher(),
      upstream.multicast { ReplaySubject<Int, Broken>(policy.replay) }.autoconnect()
        .eraseToAnyPublisher(),
      upstream.multicast { PassthroughSubject<Int, Broken>() }.autoconnect().eraseToAnyPublisher(),
    ]
    for share in shares {
      var old: [WeakReference] = []
      for round in 0..<1000 {
        let subscriber = TestSubscriber<Int, Broken>(
          initialDemand: round % 2 == 0 ? .none : .max(1))
        share.subscribe(subscriber)
        old += upstream.subscriptions.map { WeakReference($0) }
        upstream.forgetSubscriptions()
        subscriber.cancel()
      }
      #expect(old.count == 1000)
      #expect(old.filter(\.isAlive).count == 0)
    }
  }
}

struct D17AskingRaceTests {
  @Test(arguments: Policy.allCases)
  func `D17: two threads, one that connects and one that asks, leave nothing unasked`(
    policy: Policy
  ) {
    let upstream = Shared(TestPublisher<Int, Broken>())
    let multicast = Shared(upstream.value.multicast(replay: policy.replay))
    let subscriber = Shared(TestSubscriber<Int, Broken>(initialDemand: .none))
    let claim = Shared<AnyCancellable?>(nil)
    let wrong = Notes<[Subscribers.Demand]>()
    together(
      rounds: 300,
      before: { _ in
        upstream.value = TestPublisher()
        multicast.value = upstream.value.multicast(replay: policy.replay)
        subscriber.value = TestSubscriber(initialDemand: .none)
        multicast.value.subscribe(subscriber.value)
      },
      [
        { _ in claim.value = AnyCancellable(multicast.value.connect()) },
        { _ in subscriber.value.request(.max(1)) },
      ],
      after: { _ in
        if upstream.value.requests != [.unlimited] { wrong.append(upstream.value.requests) }
        claim.value = nil
        subscriber.value.cancel()
      })
    #expect(wrong.all == [])
  }
}
