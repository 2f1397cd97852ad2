import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct O2SubscriptionTests {
  /// Ways to share, each with the object that the subscription is to retain.
  private func forms(_ upstream: TestPublisher<Int, Broken>) -> [(
    publisher: AnyPublisher<Int, Broken>, retained: AnyObject
  )] {
    func form<P: Publisher<Int, Broken> & AnyObject>(_ publisher: P) -> (
      AnyPublisher<Int, Broken>, AnyObject
    ) {
      (publisher.eraseToAnyPublisher(), publisher)
    }
    return Policy.allCases.flatMap { policy in
      [
        form(upstream.share(replay: policy.replay)),
        form(upstream.multicast(replay: policy.replay)),
        form(upstream.multicast(replay: policy.replay).autoconnect()),
        form(ReplaySubject<Int, Broken>(policy.replay)),
      ]
    } + [
      form(upstream.multicast { PassthroughSubject<Int, Broken>() }),
      form(upstream.multicast { PassthroughSubject<Int, Broken>() }.autoconnect()),
      form(upstream.multicast(subject: CurrentValueSubject<Int, Broken>(0))),
      form(upstream.multicast(subject: UserSubject<Int, Broken>()).autoconnect()),
    ]
  }

  @Test func `O2: a subscription retains its upstream and its subscriber until cancel`() {
    for index in forms(TestPublisher()).indices {
      var subscription: (any Subscription)?
      var references: [WeakReference] = []
      do {
        let (publisher, retained) = forms(TestPublisher())[index]
        let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2))
        publisher.subscribe(subscriber)
        subscription = subscriber.subscription
        references = [WeakReference(retained), WeakReference(subscriber)]
      }
      #expect(references.map(\.isAlive) == [true, true])
      subscription?.cancel()
      // Though the subscription itself is still held.
      #expect(references.map(\.isAlive) == [false, false])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test func `O2: until the terminal, too, which lets go without being asked`() {
    for index in forms(TestPublisher()).indices {
      let upstream = TestPublisher<Int, Broken>()
      var subscription: (any Subscription)?
      var references: [WeakReference] = []
      do {
        let (publisher, retained) = forms(upstream)[index]
        guard !(retained is ReplaySubject<Int, Broken>) else { continue }
        let subscriber = TestSubscriber<Int, Broken>()
        publisher.subscribe(subscriber)
        let claim = (retained as? any ConnectablePublisher<Int, Broken>)?.connect()
        subscription = subscriber.subscription
        references = [WeakReference(retained), WeakReference(subscriber)]
        upstream.send(1)
        upstream.send(completion: .finished)
        withExtendedLifetime(claim) {}
      }
      #expect(references.map(\.isAlive) == [false, false])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(arguments: Policy.lossless)
  func `O2: who lags is retained until it has had its terminal`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    var subscription: (any Subscription)?
    var reference: WeakReference?
    do {
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
      upstream.share(replay: policy.replay).subscribe(subscriber)
      subscription = subscriber.subscription
      reference = WeakReference(subscriber)
      upstream.send(1)
      upstream.send(completion: .finished)
    }
    #expect(reference?.isAlive == true)
    subscription?.request(.max(1))
    #expect(reference?.isAlive == false)
  }

  @Test(arguments: Policy.allCases)
  func `O2: a cancel inside receive lets go before the send returns`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let stays = TestSubscriber<Int, Broken>()
    var subscription: (any Subscription)?
    var reference: WeakReference?
    do {
      let leaver = TestSubscriber<Int, Broken>(demandFor: { leaver, _ in
        leaver.cancel()
        return .none
      })
      share.subscribe(leaver)
      share.subscribe(stays)
      subscription = leaver.subscription
      reference = WeakReference(leaver)
    }
    #expect(reference?.isAlive == true)
    upstream.send(1)
    #expect(reference?.isAlive == false)
    withExtendedLifetime(subscription) {}
    stays.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `O2: with a delivery in progress on another thread, before the next value is taken`(
    policy: Policy
  ) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let reference = Shared<WeakReference?>(nil)
    let wasAlive = Notes<Bool>()
    let entered = Gate()
    let mayLeave = Gate()
    let first = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 1 {
        entered.open()
        mayLeave.wait()
      } else {
        wasAlive.append(reference.value?.isAlive ?? true)
      }
      return .none
    })
    share.subscribe(first)
    let leaver = Shared<TestSubscriber<Int, Broken>?>(TestSubscriber())
    if let leaver = leaver.value { share.subscribe(leaver) }
    reference.value = WeakReference(leaver.value)
    let sending = TestThread { upstream.send(1) }
    #expect(entered.wait())
    #expect(
      finishes {
        upstream.send(2)
        leaver.value?.cancel()
        leaver.value = nil
      })
    mayLeave.open()
    #expect(sending.join())
    #expect(wasAlive.all == [false])
    first.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `O2: who was cancelled in mid-receive of its own is let go right after`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let last = TestSubscriber<Int, Broken>()
    var reference: WeakReference?
    var sending: TestThread?
    var held: HeldSubscriber?
    do {
      let made = HeldSubscriber(at: 1)
      share.subscribe(made.subscriber)
      share.subscribe(last)
      reference = WeakReference(made.subscriber)
      sending = TestThread { upstream.send(1) }
      #expect(made.stands())
      #expect(finishes { made.subscriber.cancel() })
      held = made
    }
    held?.letGo()
    held = nil
    #expect(sending?.join() == true)
    #expect(reference?.isAlive == false)
    #expect(last.values == [1])
    last.cancel()
  }
}

struct O2SubscriptionRaceTests {
  @Test(arguments: Policy.allCases)
  func `O2: cancels racing with deliveries lose nobody and keep nobody`(policy: Policy) {
    let subject = PassthroughSubject<Int, Broken>()
    let share = subject.map { $0 }.share(replay: policy.replay)
    let kept = Shared<AnyCancellable?>(nil)
    let tokens = TokenMint()
    let stays = share.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let wrong = Notes<Int>()
    together(
      rounds: 300,
      before: { round in
        let token = tokens.make(round)
        kept.value = share.map { $0 + token.id }.sink(
          receiveCompletion: { _ in withExtendedLifetime(token) {} },
          receiveValue: { _ in withExtendedLifetime(token) {} })
      },
      [
        { _ in for value in 0..<5 { subject.send(value) } },
        { _ in kept.value?.cancel() },
      ],
      after: { round in
        if tokens.alive != [] { wrong.append(round) }
      })
    #expect(wrong.all == [])
    stays.cancel()
  }
}
