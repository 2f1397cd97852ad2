import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The test subscriber must detect violations of the contract, or the tests prove nothing.
struct TestSubscriberTests {
  private func subscribed(
    asking demand: Subscribers.Demand
  ) -> (TestSubscriber<Int, Broken>, TestSubscription<Int, Broken>) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: demand)
    upstream.subscribe(subscriber)
    return (subscriber, upstream.subscriptions[0])
  }

  @Test func `a subscriber finds no violation in correct calls`() {
    let (subscriber, upstream) = subscribed(asking: .max(1))
    upstream.send(1)
    subscriber.request(.max(1))
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(subscriber.outstandingDemand == .none)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: a value without demand is a violation`() {
    let (subscriber, upstream) = subscribed(asking: .max(1))
    upstream.send(1)
    upstream.send(2)
    #expect(subscriber.violations == ["2 was not asked for"])
    upstream.send(completion: .finished)
  }

  @Test func `D8: the demand that receive returns counts only after its return`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) { _, value in
      if value == 1 { upstream.send(2) }
      return .max(1)
    }
    upstream.subscribe(subscriber)
    upstream.send(1)
    upstream.send(3)
    #expect(
      subscriber.violations == [
        "2 came nested in a call that had not returned", "2 was not asked for",
      ])
    upstream.send(completion: .finished)
  }

  @Test func `D1: overlapping calls on two threads are a violation`() {
    let upstream = TestPublisher<Int, Broken>()
    let held = HeldSubscriber(at: 1)
    let subscriber = held.subscriber
    upstream.subscribe(subscriber)
    let sender = TestThread { upstream.send(1) }
    #expect(held.stands())
    upstream.send(completion: .finished)
    held.letGo()
    #expect(sender.join())
    #expect(
      subscriber.violations == [
        "finished came while another thread was in a call that had not returned"
      ])
  }

  @Test func `D1: a call inside receive(subscription:) is a violation`() {
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      subscription.send(1)
    })
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.subscribe(subscriber)
    #expect(subscriber.violations == ["1 came nested in a call that had not returned"])
    upstream.send(completion: .finished)
  }

  @Test func `D9: a call after the terminal or before the subscription is a violation`() {
    let subscriber = TestSubscriber<Int, Broken>()
    _ = subscriber.receive(1)
    #expect(
      subscriber.violations == ["1 came before the subscription", "1 was not asked for"])
    let (other, upstream) = subscribed(asking: .unlimited)
    upstream.send(completion: .finished)
    _ = other.receive(1)
    other.receive(completion: .finished)
    #expect(
      other.violations == ["1 came after the terminal", "finished came after the terminal"])
  }

  @Test func `D7: any call after a cancel inside a call is a violation`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    upstream.subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.violations == [])
    upstream.send(completion: .finished)
    #expect(subscriber.violations == ["finished came after cancel() inside a call"])
  }

  @Test
  func `D7: after a cancel from elsewhere one call is allowed, and the second is a violation`() {
    let (subscriber, upstream) = subscribed(asking: .unlimited)
    subscriber.cancel()
    upstream.send(1)
    #expect(subscriber.violations == [])
    upstream.send(2)
    #expect(subscriber.violations == ["2 is the second call after cancel()"])
    upstream.send(completion: .finished)
  }

  @Test func `a second subscription is a violation`() {
    let (subscriber, upstream) = subscribed(asking: .unlimited)
    subscriber.receive(subscription: Subscriptions.empty)
    #expect(subscriber.violations == ["a second subscription came"])
    #expect(subscriber.subscription is TestSubscription<Int, Broken>)
    upstream.send(completion: .finished)
  }
}
