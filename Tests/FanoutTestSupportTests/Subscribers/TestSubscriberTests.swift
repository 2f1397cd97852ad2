import FanoutCore
import FanoutTestSupport
import TestThreads
import Testing

/// The test subscriber must see what is against the contract, or the tests prove nothing.
struct TestSubscriberTests {
  private func subscribed(
    asking demand: Subscribers.Demand
  ) -> (TestSubscriber<Int, Broken>, TestSubscription<Int, Broken>) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: demand)
    upstream.subscribe(subscriber)
    return (subscriber, upstream.subscriptions[0])
  }

  @Test func `finds nothing wrong with what is right`() {
    let (subscriber, upstream) = subscribed(asking: .max(1))
    upstream.send(1)
    subscriber.request(.max(1))
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .value(2), .completion(.finished)])
    #expect(subscriber.outstandingDemand == .none)
    #expect(subscriber.violations == [])
  }

  @Test func `D8: sees a value that was not asked for`() {
    let (subscriber, upstream) = subscribed(asking: .max(1))
    upstream.send(1)
    upstream.send(2)
    #expect(subscriber.violations == ["2 was not asked for"])
    upstream.send(completion: .finished)
  }

  @Test func `D8: counts what receive returns, but only after it has returned`() {
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

  @Test func `D1: sees calls that overlap on two threads`() {
    let upstream = TestPublisher<Int, Broken>()
    let entered = Gate()
    let mayLeave = Gate()
    let subscriber = TestSubscriber<Int, Broken> { _, value in
      if value == 1 {
        entered.open()
        mayLeave.wait()
      }
      return .none
    }
    upstream.subscribe(subscriber)
    let sender = TestThread { upstream.send(1) }
    #expect(entered.wait())
    upstream.send(completion: .finished)
    mayLeave.open()
    #expect(sender.join())
    #expect(
      subscriber.violations == [
        "finished came while another thread was in a call that had not returned"
      ])
  }

  @Test func `D1: sees what comes inside the call that tells of the subscription`() {
    let upstream = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      subscription.send(1)
    })
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.subscribe(subscriber)
    #expect(subscriber.violations == ["1 came nested in a call that had not returned"])
    upstream.send(completion: .finished)
  }

  @Test func `D9: sees what comes after the terminal, and before the subscription`() {
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

  @Test func `D7: sees any call after a cancel inside a call`() {
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

  @Test func `D7: allows one call after a cancel from elsewhere, and sees the second`() {
    let (subscriber, upstream) = subscribed(asking: .unlimited)
    subscriber.cancel()
    upstream.send(1)
    #expect(subscriber.violations == [])
    upstream.send(2)
    #expect(subscriber.violations == ["2 is the second call after cancel()"])
    upstream.send(completion: .finished)
  }

  @Test func `sees a second subscription`() {
    let (subscriber, upstream) = subscribed(asking: .unlimited)
    subscriber.receive(subscription: Subscriptions.empty)
    #expect(subscriber.violations == ["a second subscription came"])
    #expect(subscriber.subscription is TestSubscription<Int, Broken>)
    upstream.send(completion: .finished)
  }
}
