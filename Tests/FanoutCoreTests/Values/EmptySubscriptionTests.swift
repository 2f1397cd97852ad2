import FanoutCore
import FanoutTestSupport
import Testing

struct EmptySubscriptionTests {
  @Test func `there is one`() {
    #expect(Subscriptions.empty.combineIdentifier == Subscriptions.empty.combineIdentifier)
  }

  @Test func `it describes itself and shows no parts`() {
    let subscription = Subscriptions.empty
    #expect("\(subscription)" == "Empty")
    #expect(Mirror(reflecting: subscription).children.isEmpty)
    let playground = subscription as? any CustomPlaygroundDisplayConvertible
    #expect(playground?.playgroundDescription as? String == "Empty")
  }

  @Test func `it ignores requests and cancellation`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    let subscription = Subscriptions.empty
    subscriber.receive(subscription: subscription)
    subscription.request(.none)
    subscription.request(.unlimited)
    subscription.cancel()
    subscription.cancel()
    subscription.request(.max(1))
    #expect(subscriber.events == [.subscription])
  }
}
