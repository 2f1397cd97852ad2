import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct OperatorOwnershipTests {
  @Test(arguments: OperatorSample.all, Ending.allCases)
  func `O2: an operator lets go of its upstream, its closure and its subscriber at the end`(
    sample: OperatorSample, ending: Ending
  ) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    var subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(5))
      let token = tracker.track(Token(), "closure")
      tracker.track(subscriber, "subscriber")
      sample.apply(to: upstream, retaining: token).subscribe(subscriber)
      tracker.track(upstream.subscriptions[0], "upstream")
      subscription = subscriber.subscription
    }
    let feed = upstream.subscriptions[0]
    upstream.forgetSubscriptions()
    #expect(Set(tracker.survivors().map(\.name)) == ["closure", "subscriber", "upstream"])
    if let terminal = ending.terminal {
      feed.send(completion: terminal)
    } else {
      subscription?.cancel()
    }
    // Only this function still keeps the upstream's subscription; the operator's keeps nothing.
    #expect(tracker.survivors().map(\.name) == ["upstream"])
    #expect(feed.cancelCount == (ending == .cancel ? 1 : 0))
    feed.send(1)
    subscription?.request(.unlimited)
    subscription = nil
    withExtendedLifetime(feed) {}
  }

  @Test(arguments: OperatorSample.all, Ending.allCases)
  func `O2: its subscription does not retain the upstream's beyond the end`(
    sample: OperatorSample, ending: Ending
  ) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    sample.apply(to: upstream, retaining: Token()).subscribe(subscriber)
    tracker.track(upstream.subscriptions[0], "upstream")
    if let terminal = ending.terminal {
      upstream.send(completion: terminal)
    } else {
      subscriber.cancel()
    }
    upstream.forgetSubscriptions()
    // Where the upstream's own subscription is handed on, the subscriber itself keeps it.
    let handsOn = subscriber.subscription is TestSubscription<Int, Broken>
    #expect(tracker.survivors().map(\.name) == (handsOn ? ["upstream"] : []))
    // A last value may wait for it still.
    subscriber.cancel()
  }

  @Test func `O2: prefix and first let go when they end early`() {
    for sample in OperatorSample.all where ["Output", "First", "FirstWhere"].contains(sample.name) {
      let tracker = LifetimeTracker()
      let upstream = TestPublisher<Int, Broken>()
      let subscription: (any Subscription)?
      do {
        let subscriber = TestSubscriber<Int, Broken>()
        tracker.track(subscriber, "subscriber")
        let token = tracker.track(Token(), "closure")
        sample.apply(to: upstream, retaining: token).subscribe(subscriber)
        tracker.track(upstream.subscriptions[0], "upstream")
        subscription = subscriber.subscription
      }
      (1...6).forEach(upstream.send)
      #expect(upstream.cancelCount == 1)
      upstream.forgetSubscriptions()
      #expect(tracker.survivors() == [])
      withExtendedLifetime(subscription) {}
    }
  }

  @Test(arguments: OperatorSample.all, SubjectKind.allCases)
  func `O2: a chain below a subject lets go of it at cancel`(
    sample: OperatorSample, kind: SubjectKind
  ) {
    let tracker = LifetimeTracker()
    let subscription: (any Subscription)?
    do {
      let subject = kind.make()
      tracker.track(subject, "subject")
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
      tracker.track(subscriber, "subscriber")
      let token = tracker.track(Token(), "closure")
      sample.apply(to: subject.eraseToAnyPublisher(), retaining: token).subscribe(subscriber)
      subscription = subscriber.subscription
    }
    // A current value is all that `first()` wants: it has cancelled what is above it already.
    let isDone = sample.name == "First" && kind == .currentValue
    let names = tracker.survivors().map(\.name)
    #expect(names == (isDone ? ["subscriber"] : ["subject", "subscriber", "closure"]))
    subscription?.cancel()
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscription) {}
  }
}
