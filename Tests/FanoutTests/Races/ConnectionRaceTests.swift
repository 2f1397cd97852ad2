import Fanout
import FanoutLifetime
import FanoutTestSupport
import Synchronization
import TestFixtures
import TestThreads
import Testing

struct ConnectionRaceTests {
  /// Each connection's upstream sends values that carry its number, and continues, from any thread,
  /// after its cancel.
  @Test(arguments: Policy.allCases)
  func `D12 D13 L1 L2: nobody ever sees two connections, however many threads come and go`(
    policy: Policy
  ) {
    let numbers = Shared<[ObjectIdentifier: Int]>([:])
    let ticket = Atomic<Int>(0)
    let send: @Sendable (TestSubscription<Int, Broken>) -> Void = { subscription in
      let number = numbers.change { numbers in
        let number = numbers[ObjectIdentifier(subscription)] ?? numbers.count
        numbers[ObjectIdentifier(subscription)] = number
        return number
      }
      subscription.send(
        number * 10_000 + ticket.wrappingAdd(1, ordering: .relaxed).newValue % 10_000)
    }
    let upstream = TestPublisher<Int, Broken>(
      ignoresCancel: true,
      whenAsked: { subscription, _ in for _ in 0..<3 { send(subscription) } })
    let share = upstream.share(replay: policy.replay)
    let seen = Notes<TestSubscriber<Int, Broken>>()
    let comeAndGo: @Sendable (Int) -> Void = { seed in
      var dice = SeededChance(seed: UInt64(seed))
      for _ in 0..<60 {
        let subscriber = TestSubscriber<Int, Broken>()
        share.subscribe(subscriber)
        seen.append(subscriber)
        // A late value of an old upstream, or one of the current.
        if let any = upstream.subscriptions.suffix(4).randomElement(using: &dice) { send(any) }
        subscriber.cancel()
      }
    }
    together((0..<4).map { seed in { comeAndGo(seed) } })
    for subscriber in seen.all {
      #expect(Set(subscriber.values.map { $0 / 10_000 }).count <= 1, "\(subscriber.values)")
      #expect(Set(subscriber.values).count == subscriber.values.count)
    }
    #expect(upstream.subscriptions.allSatisfy { $0.cancelCount == 1 })
  }

  @Test(arguments: Policy.allCases)
  func `D12: claims by hand and subscribers on many threads leave nothing connected`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let multicast = upstream.multicast(replay: policy.replay)
    let autos = (0..<2).map { _ in multicast.autoconnect() }
    together([
      {
        for _ in 0..<rounds(150) {
          let subscriber = TestSubscriber<Int, Broken>()
          autos[0].subscribe(subscriber)
          subscriber.cancel()
        }
      },
      {
        for _ in 0..<rounds(150) {
          let subscriber = TestSubscriber<Int, Broken>()
          autos[1].subscribe(subscriber)
          subscriber.cancel()
          subscriber.cancel()
        }
      },
      {
        for _ in 0..<rounds(150) {
          let claim = multicast.connect()
          claim.cancel()
          claim.cancel()
        }
      },
      { for _ in 0..<150 { _ = multicast.connect() } },
    ])
    #expect(upstream.subscriptions.allSatisfy { $0.cancelCount == 1 })
    let before = upstream.subscriptionCount
    let subscriber = TestSubscriber<Int, Broken>()
    autos[0].subscribe(subscriber)
    #expect(upstream.subscriptionCount == before + 1)
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(upstream.subscriptions.allSatisfy { $0.cancelCount == 1 })
  }

  @Test(arguments: Policy.allCases)
  func `D9 L3: a terminal among senders, joiners and leavers comes to all who stay, once`(
    policy: Policy
  ) {
    let subject = Shared(PassthroughSubject<Int, Broken>())
    let share = Shared(subject.value.share(replay: policy.replay))
    let stays = Shared(TestSubscriber<Int, Broken>())
    let joined = Shared<[TestSubscriber<Int, Broken>]>([])
    let wrong = Notes<String>()
    together(
      rounds: 100,
      before: { _ in
        subject.value = PassthroughSubject()
        share.value = subject.value.share(replay: policy.replay)
        stays.value = TestSubscriber()
        share.value.subscribe(stays.value)
        joined.value = []
      },
      [
        { _ in for value in 0..<5 { subject.value.send(value) } },
        { _ in subject.value.send(completion: .finished) },
        { _ in
          for _ in 0..<4 {
            let subscriber = TestSubscriber<Int, Broken>()
            share.value.subscribe(subscriber)
            joined.change { $0.append(subscriber) }
          }
        },
        { _ in
          for _ in 0..<4 {
            let subscriber = TestSubscriber<Int, Broken>()
            share.value.subscribe(subscriber)
            subscriber.cancel()
          }
        },
      ],
      after: { _ in
        let order = stays.value.values
        if order != Array(0..<order.count) { wrong.append("\(order)") }
        for subscriber in [stays.value] + joined.value {
          if subscriber.events.last != .completion(.finished) || !subscriber.violations.isEmpty {
            wrong.append("\(subscriber.events) \(subscriber.violations)")
          }
        }
      })
    #expect(wrong.all == [])
  }

  @Test(arguments: Policy.allCases)
  func `O2 O4 O6: after all that nothing is alive any more`(policy: Policy) {
    let mint = TokenMint()
    var references: [WeakReference] = []
    do {
      let subject = PassthroughSubject<Token, Never>()
      let share = subject.map { $0 }.share(replay: policy.replay { $0.id })
      references = [WeakReference(subject), WeakReference(share)]
      let comeAndGo: @Sendable () -> Void = {
        for turn in 0..<60 {
          let subscriber = TestSubscriber<Int, Never>(
            initialDemand: turn % 2 == 0 ? .max(turn) : .unlimited)
          share.map(\.id).subscribe(subscriber)
          subscriber.request(.max(1))
          subscriber.cancel()
        }
      }
      together([
        { for id in 0..<200 { subject.send(mint.make(id)) } },
        { for id in 200..<400 { subject.send(mint.make(id)) } },
        comeAndGo, comeAndGo,
      ])
    }
    #expect(mint.alive == [])
    #expect(references.map(\.isAlive) == [false, false])
  }
}
