import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

struct LabeledTests {
  struct Broken: Error {}

  @Test func `D8: demand, values and the completion pass through unchanged`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1)) {
      $1 == 1 ? .max(2) : .none
    }
    upstream.labeled("upstream").subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions.first?.send(1) == .max(2))
    subscriber.request(.max(4))
    #expect(upstream.requests == [.max(1), .max(4)])
    upstream.send(2)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion.map { "\($0)" }?.hasPrefix("failure") == true)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel passes through once, and nothing comes after it`() {
    let upstream = TestPublisher<Int, Never>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Never>()
    upstream.labeled("upstream").subscribe(subscriber)
    subscriber.subscription?.cancel()
    subscriber.subscription?.cancel()
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.events == [.subscription])
  }

  @Test(arguments: [false, true])
  func `O2: its subscription lets go of upstream and subscriber at the end`(isCancel: Bool) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    var subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Never>()
      tracker.track(subscriber, "subscriber")
      upstream.labeled("upstream").subscribe(subscriber)
      subscription = subscriber.subscription
      for feed in upstream.subscriptions { tracker.track(feed, "feed") }
    }
    #expect(tracker.survivors().map(\.name) == ["subscriber", "feed"])
    if isCancel { subscription?.cancel() } else { upstream.send(completion: .finished) }
    upstream.forgetSubscriptions()
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscription) {}
  }

  @Test func `D14: what is at hand comes through, also shared and cut short`() {
    let values = Notes<Int>()
    (1...5).publisher.labeled("numbers").share().labeled("shared").prefix(3)
      .sink { values.append($0) }.cancel()
    #expect(values.all == [1, 2, 3])
  }

  @Test func `D15: a long line of labels and a million values do not grow the stack`() {
    let sum = Shared(0)
    let labeled = (1...100_000).publisher.labeled("a").labeled("b").labeled("c")
    labeled.sink { number in sum.change { $0 += number } }.cancel()
    #expect(sum.value == 5_000_050_000)
  }

  @Test func `its subscription describes itself as its upstream's`() {
    let subscriber = TestSubscriber<Int, Never>()
    TestPublisher<Int, Never>().labeled("upstream").subscribe(subscriber)
    #expect(subscriber.subscription.map { "\($0)" } == "TestSubscription")
    subscriber.cancel()
  }

  @Test func `the label is that of the subject, the share or the operator above`() {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.labeled("subject").map { $0 }.labeled("mapped").share()
    let sink = shared.labeled("shared").sink { _ in }
    let titles = Set(OwnershipGraph(of: sink).nodes.map(\.title))
    #expect(titles.contains("PassthroughSubject 'subject'"))
    #expect(titles.contains("Map.Subscription 'mapped'"))
    #expect(titles.contains("Share 'shared'"))
    #expect(!titles.contains { $0.contains("Labeled") })
    withExtendedLifetime(sink) {}
  }

  @Test func `a publisher that is a value is a node if it has a label`() {
    let numbers = PassthroughSubject<Int, Never>()
    let mapped = numbers.labeled("numbers").map { $0 + 1 }.labeled("mapped")
    let idle = mapped.share()
    #expect(
      OwnershipGraph(of: idle).description == """
        Share
          upstream: Map 'mapped'
            upstream: PassthroughSubject 'numbers'
          core: ShareCore
            upstream: Map 'mapped', see above
        """)
    #expect(mapped.label == "mapped")
    #expect(OwnershipGraph(of: mapped).nodes.map(\.title).first == "Map 'mapped'")
  }
}
