import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D14SynchronousTests {
  @Test(arguments: Policy.allCases)
  func `D14: sharing a sequence loses nothing`(policy: Policy) {
    let share = (1...5).publisher.share(replay: policy.replay)
    let first = TestSubscriber<Int, Never>()
    let second = TestSubscriber<Int, Never>()
    share.subscribe(first)
    share.subscribe(second)
    #expect(first.values == [1, 2, 3, 4, 5])
    #expect(second.values == policy.remembered(of: [1, 2, 3, 4, 5]))
    for subscriber in [first, second] {
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: Policy.allCases)
  func `D14: a sequence and demand one by one`(policy: Policy) {
    let share = (1...5).publisher.share(replay: policy.replay)
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
    share.subscribe(subscriber)
    subscriber.request(.max(1))
    subscriber.request(.unlimited)
    switch policy {
    // Everything is requested at the first request: values without demand are lost.
    case .none: #expect(subscriber.values == [1])
    case .latest: #expect(subscriber.values == [1, 5])
    default: #expect(subscriber.values == [1, 2, 3, 4, 5])
    }
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: Policy.allCases)
  func `D14: Just, shared, taken first`(policy: Policy) {
    let isDone = finishes {
      let share = Just(1).share(replay: policy.replay)
      for _ in 0..<3 {
        let subscriber = TestSubscriber<Int, Never>()
        share.first().subscribe(subscriber)
        #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
        #expect(subscriber.violations == [])
      }
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D14: an endless sequence, shared, taken first, does not hang`(policy: Policy) {
    let isDone = finishes {
      let share = (1...).publisher.share(replay: policy.replay)
      let subscriber = TestSubscriber<Int, Never>()
      share.first().subscribe(subscriber)
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
      let three = TestSubscriber<Int, Never>()
      share.prefix(3).subscribe(three)
      #expect(three.values == [1, 2, 3])
      #expect(three.completion == .finished)
    }
    #expect(isDone)
  }

  @Test func `D14: an endless sequence through a subject does not hang either`() {
    let isDone = finishes {
      let shares = [
        (1...).publisher.multicast { PassthroughSubject<Int, Never>() }.autoconnect()
          .eraseToAnyPublisher(),
        (1...).publisher.multicast(subject: UserSubject<Int, Never>()).autoconnect()
          .eraseToAnyPublisher(),
        (1...).publisher.makeConnectable().autoconnect().eraseToAnyPublisher(),
      ]
      for share in shares {
        let subscriber = TestSubscriber<Int, Never>()
        share.prefix(2).subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        #expect(subscriber.completion == .finished)
      }
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D14: cancelling inside connect() leaves nothing connected`(policy: Policy) {
    let isDone = finishes {
      let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
        for value in 1...5 { subscription.send(value) }
      })
      let share = upstream.share(replay: policy.replay)
      for round in 1...3 {
        let subscriber = TestSubscriber<Int, Broken>(demandFor: { subscriber, value in
          if value == 2 { subscriber.cancel() }
          return .none
        })
        share.subscribe(subscriber)
        #expect(subscriber.values == [1, 2])
        #expect(upstream.subscriptionCount == round)
        #expect(upstream.cancelCount == round)
      }
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D14: cancelling one of several inside connect() by hand leaves the others`(policy: Policy) {
    let isDone = finishes {
      let multicast = (1...5).publisher.multicast(replay: policy.replay)
      let leaver = TestSubscriber<Int, Never>(demandFor: { leaver, value in
        if value == 2 { leaver.cancel() }
        return .none
      })
      let stays = TestSubscriber<Int, Never>()
      multicast.subscribe(leaver)
      multicast.subscribe(stays)
      let claim = multicast.connect()
      #expect(leaver.values == [1, 2])
      #expect(stays.values == [1, 2, 3, 4, 5])
      #expect(stays.completion == .finished)
      claim.cancel()
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D14: a subscriber that comes inside receive(subscription:) misses nothing`(policy: Policy) {
    let isDone = finishes {
      let share = (1...5).publisher.share(replay: policy.replay)
      let inner = TestSubscriber<Int, Never>()
      let outer = TestSubscriber<Int, Never>(whenSubscribed: { _ in share.subscribe(inner) })
      share.subscribe(outer)
      // The inner one joined and connected; the outer one had joined before and had asked.
      #expect(inner.values == [1, 2, 3, 4, 5])
      #expect(outer.values == [1, 2, 3, 4, 5])
      for subscriber in [inner, outer] {
        #expect(subscriber.completion == .finished)
        #expect(subscriber.violations == [])
      }
    }
    #expect(isDone)
  }

  @Test(arguments: Policy.allCases)
  func `D14: Empty and Fail, shared, end at once, and again for the late`(policy: Policy) {
    let empty = Empty<Int, Broken>().share(replay: policy.replay)
    let fail = Fail<Int, Broken>(error: Broken()).share(replay: policy.replay)
    for _ in 0..<2 {
      let first = TestSubscriber<Int, Broken>(initialDemand: .max(1))
      empty.subscribe(first)
      #expect(first.events == [.subscription, .completion(.finished)])
      let second = TestSubscriber<Int, Broken>(initialDemand: .max(1))
      fail.subscribe(second)
      #expect(second.events == [.subscription, .completion(.failure(Broken()))])
    }
  }

  @Test func `D14: under .none an upstream that ends without being asked ends who has not asked`() {
    let share = Empty<Int, Never>().share()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    share.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test(arguments: Policy.allCases)
  func `D14: nothing is left behind of a synchronous share`(policy: Policy) {
    let mint = TokenMint()
    var share: WeakReference?
    do {
      let made = (1...5).publisher.unspecialized.map { mint.make($0) }.share(
        replay: policy.replay { $0.id })
      share = WeakReference(made)
      for count in [1, 3, 9] {
        let subscriber = TestSubscriber<Int, Never>()
        made.map(\.id).prefix(count).subscribe(subscriber)
        #expect(subscriber.completion == .finished)
        #expect(subscriber.values.count <= count)
      }
    }
    #expect(share?.isAlive == false)
    #expect(mint.alive == [])
  }

  @Test(arguments: Policy.allCases)
  func `D14: a share of a share of a sequence`(policy: Policy) {
    let inner = (1...5).publisher.share(replay: policy.replay)
    let outer = inner.map { $0 }.share(replay: policy.replay)
    let subscribers = (0..<2).map { _ in TestSubscriber<Int, Never>() }
    subscribers.forEach(outer.subscribe)
    #expect(subscribers[0].values == [1, 2, 3, 4, 5])
    #expect(subscribers[1].values == policy.remembered(of: [1, 2, 3, 4, 5]))
    for subscriber in subscribers { #expect(subscriber.completion == .finished) }
  }
}
