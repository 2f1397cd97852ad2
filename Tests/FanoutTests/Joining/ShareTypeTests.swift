import Fanout
import FanoutTestSupport
import Testing

struct ShareTypeTests {
  @Test func `a Share made by its initialiser shares without replay`() {
    let upstream = TestPublisher<Int, Never>()
    let share = Publishers.Share(upstream: upstream)
    let (early, late) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    share.subscribe(early)
    upstream.send(1)
    share.subscribe(late)
    upstream.send(2)
    #expect(early.values == [1, 2])
    #expect(late.values == [2])
    #expect(upstream.subscriptionCount == 1)
    early.cancel()
    late.cancel()
  }

  @Test(arguments: AutoForm.allCases)
  func `subscriptions show their description and nothing inside`(form: AutoForm) throws {
    let subscriber = TestSubscriber<Int, Never>()
    form.make(TestPublisher<Int, Never>()).subscribe(subscriber)
    let subscription = try #require(subscriber.subscription)
    let shown = try #require(subscription as? any CustomPlaygroundDisplayConvertible)
    #expect("\(shown.playgroundDescription)" == "\(subscription)")
    let mirrored = try #require(subscription as? any CustomReflectable)
    #expect(mirrored.customMirror.children.isEmpty)
    subscriber.cancel()
  }
}
