import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D1SerialTests {
  @Test(arguments: Policy.remembering)
  func `D1: a request inside receive(subscription:) replays only after that has returned`(
    policy: Policy
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(whenSubscribed: { late in
      #expect(late.events == [.subscription])
      late.request(.max(1))
      #expect(late.events == [.subscription])
    })
    share.subscribe(late)
    #expect(late.values == policy.remembered(of: [1, 2, 3, 4]))
    #expect(late.violations == [])
    [first, late].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.remembering)
  func `D1: a request inside receive delivers only after that has returned`(policy: Policy) {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...4 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(
      initialDemand: .max(1),
      demandFor: { late, _ in
        let count = late.events.count
        late.request(.max(2))
        #expect(late.events.count == count)
        return .none
      })
    share.subscribe(late)
    upstream.send(5)
    upstream.send(completion: .finished)
    #expect(late.values == policy.remembered(of: [1, 2, 3, 4]) + [5])
    #expect(late.completion == .finished)
    #expect(late.violations + first.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D1: a synchronous upstream waits for receive(subscription:) too`(policy: Policy) {
    for demand in [Subscribers.Demand.max(1), .unlimited] {
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: demand, demandFor: { _, _ in .max(1) },
        whenSubscribed: { #expect($0.events == [.subscription]) })
      (1...5).publisher.share(replay: policy.replay).subscribe(subscriber)
      #expect(subscriber.values == [1, 2, 3, 4, 5])
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: Policy.allCases)
  func `D1: a request from elsewhere while a subscriber is being told waits as well`(policy: Policy)
  {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    upstream.send(2)
    let held = HeldSubscriber(whenSubscribedWith: .none)
    let joining = TestThread { share.subscribe(held.subscriber) }
    #expect(held.stands())
    held.subscriber.request(.unlimited)
    upstream.send(3)
    upstream.send(completion: .finished)
    #expect(first.completion == .finished)
    #expect(held.subscriber.events == [.subscription])
    held.letGo()
    #expect(joining.join())
    #expect(held.subscriber.values == policy.remembered(of: [2]) + [3])
    #expect(held.subscriber.completion == .finished)
    #expect(held.subscriber.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D1: an upstream that nests its calls does not nest those of the subscribers`(policy: Policy)
  {
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      // In the middle of whatever the share does, perhaps inside its receive(subscription:).
      subscription.send(1)
      subscription.send(2)
    })
    let share = upstream.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value < 5 { upstream.send(value + 2) }
      if value == 6 { upstream.send(completion: .finished) }
      return .none
    })
    share.subscribe(subscriber)
    #expect(subscriber.values == [1, 3, 5, 2, 4, 6])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }
}

struct D1SerialRaceTests {
  @Test(arguments: Policy.allCases)
  func `D1: calls never overlap, however many threads send, ask and join`(policy: Policy) {
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    let share = subject.share(replay: policy.replay)
    let subscribers = (0..<4).map { _ in
      TestSubscriber<Int, Broken>(initialDemand: .max(1), demandFor: { _, _ in .max(1) })
    }
    share.subscribe(subscribers[0])
    together([
      { for value in 0..<400 { subject.send(value) } },
      { for value in 400..<800 { subject.send(value) } },
      {
        for subscriber in subscribers.dropFirst() { share.subscribe(subscriber) }
        for _ in 0..<100 { subscribers.forEach { $0.request(.max(1)) } }
      },
    ])
    subject.send(completion: .finished)
    for subscriber in subscribers {
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }
}
