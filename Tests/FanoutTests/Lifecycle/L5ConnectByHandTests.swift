import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L5ConnectByHandTests {
  @Test(arguments: Policy.allCases)
  func `L5: subscribers stay attached over a disconnect; the next connection starts clean`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let stays = TestSubscriber<Int, Broken>()
    multicast.subscribe(stays)
    for round in 0..<3 {
      let claim = multicast.connect()
      let values = (1...4).map { round * 10 + $0 }
      values.forEach { upstream.subscriptions[round].send($0) }
      let late = TestSubscriber<Int, Broken>()
      multicast.subscribe(late)
      #expect(late.values == policy.remembered(of: values))
      late.cancel()
      claim.cancel()
      let between = TestSubscriber<Int, Broken>()
      multicast.subscribe(between)
      #expect(between.events == [.subscription])
      between.cancel()
    }
    #expect(stays.values == [1, 2, 3, 4, 11, 12, 13, 14, 21, 22, 23, 24])
    #expect(stays.completion == nil)
    #expect(stays.violations == [])
    #expect(upstream.subscriptionCount == 3)
    stays.cancel()
  }

  @Test(arguments: Policy.lossless)
  func `L5: who lags still gets what it is owed, also from the next connection`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>(initialDemand: .none)
    multicast.subscribe(first)
    var claim = AnyCancellable(multicast.connect())
    for value in 1...4 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    multicast.subscribe(late)
    upstream.send(5)
    claim.cancel()
    let replay = policy.remembered(of: [1, 2, 3, 4])
    first.request(.max(2))
    late.request(.max(1))
    #expect(first.values == [1, 2])
    #expect(late.values == Array((replay + [5]).prefix(1)))
    claim = AnyCancellable(multicast.connect())
    let newcomer = TestSubscriber<Int, Broken>()
    multicast.subscribe(newcomer)
    #expect(newcomer.values == [])
    for value in 11...12 { upstream.send(value) }
    claim.cancel()
    first.request(.unlimited)
    late.request(.unlimited)
    #expect(first.values == [1, 2, 3, 4, 5, 11, 12])
    #expect(late.values == replay + [5, 11, 12])
    #expect(newcomer.values == [11, 12])
    #expect(first.violations + late.violations == [])
    [first, late, newcomer].forEach { $0.cancel() }
  }

  @Test func `L5: under .latest who lags is given the newest, over a disconnect as well`() {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: .latest)
    let lagging = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    let other = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    multicast.subscribe(lagging)
    multicast.subscribe(other)
    var claim = AnyCancellable(multicast.connect())
    for value in 1...3 { upstream.send(value) }
    claim.cancel()
    lagging.request(.max(1))
    #expect(lagging.values == [1, 3])
    claim = AnyCancellable(multicast.connect())
    // Still owed to the other one, but no newcomer is given it.
    let newcomer = TestSubscriber<Int, Broken>()
    multicast.subscribe(newcomer)
    #expect(newcomer.values == [])
    upstream.send(10)
    other.request(.max(2))
    #expect(other.values == [1, 10])
    #expect(newcomer.values == [10])
    claim.cancel()
    [lagging, other, newcomer].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.remembering)
  func `L5: a disconnect while a delivery is in progress keeps what is owed`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let held = HeldSubscriber(at: 1)
    multicast.subscribe(held.subscriber)
    let claim = Shared(AnyCancellable(multicast.connect()))
    let sending = TestThread { upstream.send(1) }
    #expect(held.stands())
    let late = TestSubscriber<Int, Broken>()
    let newcomer = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        upstream.send(2)
        multicast.subscribe(late)
        upstream.send(3)
        claim.value.cancel()
        multicast.subscribe(newcomer)
      })
    held.letGo()
    #expect(sending.join())
    #expect(held.subscriber.values == [1, 2, 3])
    #expect(late.values == policy.remembered(of: [1, 2]) + [3])
    #expect(newcomer.values == [])
    [held.subscriber, late, newcomer].forEach { $0.cancel() }
  }

  @Test func `L5: createSubject is called once, when the subject is first needed`() {
    let upstream = TestPublisher<Int, Broken>()
    let made = Notes<ReplaySubject<Int, Broken>>()
    let multicast = upstream.multicast { () -> ReplaySubject<Int, Broken> in
      let subject = ReplaySubject<Int, Broken>(.last(2))
      made.append(subject)
      return subject
    }
    #expect(made.count == 0)
    let first = TestSubscriber<Int, Broken>()
    multicast.subscribe(first)
    #expect(made.count == 1)
    for round in 0..<3 {
      let claim = multicast.connect()
      upstream.send(round)
      claim.cancel()
    }
    // The subject decides what it remembers.
    let late = TestSubscriber<Int, Broken>()
    multicast.subscribe(late)
    #expect(late.values == [1, 2])
    #expect(made.count == 1)
    #expect(first.values == [0, 1, 2])
    [first, late].forEach { $0.cancel() }

    let connectedFirst = upstream.multicast { () -> PassthroughSubject<Int, Broken> in
      made.append(ReplaySubject(.none))
      return PassthroughSubject()
    }
    let claim = connectedFirst.connect()
    #expect(made.count == 2)
    let attached = connectedFirst.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(made.count == 2)
    attached.cancel()
    claim.cancel()
  }

  @Test func `L5: a subject that was given is the one for the publisher's life`() {
    let upstream = TestPublisher<Int, Broken>()
    let subject = CurrentValueSubject<Int, Broken>(0)
    let multicast = upstream.multicast(subject: subject)
    let stays = TestSubscriber<Int, Broken>()
    multicast.subscribe(stays)
    for round in 1...3 {
      let claim = multicast.connect()
      upstream.send(round)
      claim.cancel()
      #expect(subject.value == round)
    }
    subject.send(9)
    #expect(stays.values == [0, 1, 2, 3, 9])
    stays.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `L5: connect() after a terminal returns a handle that does nothing`(policy: Policy) {
    for end in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
      let upstream = TestPublisher<Int, Broken>()
      let forms: [any ConnectablePublisher<Int, Broken>] = [
        upstream.multicast(replay: policy.replay),
        upstream.multicast { PassthroughSubject<Int, Broken>() },
      ]
      for connectable in forms {
        upstream.forgetSubscriptions()
        let before = connectable.connect()
        upstream.send(1)
        upstream.send(completion: end)
        let after = connectable.connect()
        #expect(upstream.subscriptionCount == 1)
        after.cancel()
        after.cancel()
        before.cancel()
        #expect(upstream.cancelCount == 0)
        let late = TestSubscriber<Int, Broken>()
        connectable.subscribe(late)
        #expect(late.completion == end)
      }
    }
  }

  @Test func `L5: a cache of one's own is made anew for every connection`() {
    let made = Notes<Int>()
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(
      replay: .custom { () -> SpyCache<Int> in
        made.append(made.count)
        return SpyCache()
      })
    for round in 1...3 {
      let claim = multicast.connect()
      let second = multicast.connect()
      #expect(made.count == round)
      upstream.send(round)
      let late = TestSubscriber<Int, Broken>()
      multicast.subscribe(late)
      #expect(late.values == [round])
      late.cancel()
      second.cancel()
      claim.cancel()
    }
    #expect(made.count == 3)
  }
}

struct L5ConnectByHandRaceTests {
  @Test func `L5: of two threads that need the subject first, both are given the same`() {
    let upstream = Shared(TestPublisher<Int, Broken>())
    let make:
      @Sendable () ->
        Publishers.Multicast<
          TestPublisher<Int, Broken>, PassthroughSubject<Int, Broken>
        > = { upstream.value.multicast { PassthroughSubject<Int, Broken>() } }
    let multicast = Shared(make())
    let subscribers = Shared<[TestSubscriber<Int, Broken>]>([])
    let wrong = Notes<Int>()
    together(
      rounds: 300,
      before: { _ in
        multicast.value = make()
        subscribers.value = (0..<2).map { _ in TestSubscriber() }
      },
      (0..<2).map { index in { _ in multicast.value.subscribe(subscribers.value[index]) } },
      after: { round in
        let claim = multicast.value.connect()
        upstream.value.send(round)
        if subscribers.value.map(\.values) != [[round], [round]] { wrong.append(round) }
        claim.cancel()
        subscribers.value.forEach { $0.cancel() }
        upstream.value.forgetSubscriptions()
      })
    #expect(wrong.all == [])
  }
}
