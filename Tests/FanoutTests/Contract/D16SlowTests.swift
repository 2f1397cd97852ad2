import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct D16SlowTests {
  @Test func `D16: share() and .none drop what has no demand, as a PassthroughSubject does`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let subscribers = (0..<5).map { _ in TestSubscriber<Int, Broken>(initialDemand: .max(2)) }
    let multicast = upstream.multicast { PassthroughSubject<Int, Broken>() }
    let recorded = upstream.multicast(replay: .none)
    let claims = [multicast.connect(), recorded.connect()]
    upstream.share().subscribe(subscribers[0])
    upstream.share(replay: .none).subscribe(subscribers[1])
    multicast.subscribe(subscribers[2])
    recorded.subscribe(subscribers[3])
    upstream.subscribe(subscribers[4])
    for value in 1...4 { upstream.send(value) }
    subscribers.forEach { $0.request(.max(1)) }
    for value in 5...6 { upstream.send(value) }
    for subscriber in subscribers {
      #expect(subscriber.values == [1, 2, 5])
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
    claims.forEach { $0.cancel() }
  }

  @Test func `D16: .latest hands over the newest on the next request`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .latest)
    let fast = TestSubscriber<Int, Broken>()
    let slow = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    share.subscribe(fast)
    share.subscribe(slow)
    for value in 1...4 { upstream.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [1, 4])
    // The newest is given once.
    slow.request(.max(1))
    #expect(slow.values == [1, 4])
    upstream.send(5)
    upstream.send(6)
    #expect(slow.values == [1, 4, 5])
    slow.request(.max(2))
    #expect(slow.values == [1, 4, 5, 6])
    upstream.send(7)
    #expect(slow.values == [1, 4, 5, 6, 7])
    #expect(fast.values == [1, 2, 3, 4, 5, 6, 7])
    #expect(slow.violations == [])
    [fast, slow].forEach { $0.cancel() }
  }

  @Test func `D16: a late one under .latest gets the newest at its first request`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .latest)
    let fast = TestSubscriber<Int, Broken>()
    share.subscribe(fast)
    upstream.send(1)
    let late = TestSubscriber<Int, Broken>(initialDemand: .none)
    share.subscribe(late)
    upstream.send(2)
    upstream.send(3)
    late.request(.max(1))
    #expect(late.values == [3])
    late.request(.max(1))
    #expect(late.values == [3])
    [fast, late].forEach { $0.cancel() }
  }

  @Test func `D16: through a CurrentValueSubject likewise`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let multicast = upstream.multicast(subject: CurrentValueSubject<Int, Broken>(0))
    let slow = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    multicast.subscribe(slow)
    let claim = multicast.connect()
    for value in 1...4 { upstream.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [0, 4])
    claim.cancel()
    slow.cancel()
  }

  @Test(arguments: Policy.lossless)
  func `D16: every other replay is lossless, and each has its own place`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let subscribers = (0..<4).map { TestSubscriber<Int, Broken>(initialDemand: .max($0)) }
    subscribers.forEach(share.subscribe)
    for value in 1...50 {
      upstream.send(value)
      for (index, subscriber) in subscribers.enumerated() where value % (index + 2) == 0 {
        subscriber.request(.max(1))
      }
    }
    for (index, subscriber) in subscribers.enumerated() {
      #expect(subscriber.values == Array(1...(index + 50 / (index + 2))))
    }
    subscribers[1].cancel()
    upstream.send(completion: .finished)
    for subscriber in [subscribers[0], subscribers[2], subscribers[3]] {
      #expect(subscriber.completion == nil)
      subscriber.request(.unlimited)
      #expect(subscriber.values == Array(1...50))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }
}
