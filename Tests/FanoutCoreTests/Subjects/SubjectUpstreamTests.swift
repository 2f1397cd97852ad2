import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct SubjectUpstreamTests {
  @Test func `D17: a passthrough subject asks its upstream when a subscriber has asked`() {
    let upstream = TestPublisher<Int, Broken>()
    let subject = PassthroughSubject<Int, Broken>()
    let feed = upstream.subscribe(subject)
    #expect(upstream.requests == [])
    let silent = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.subscribe(silent)
    silent.request(.none)
    #expect(upstream.requests == [])
    silent.request(.max(1))
    #expect(upstream.requests == [.unlimited])
    let other = TestSubscriber<Int, Broken>()
    subject.subscribe(other)
    silent.request(.max(5))
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    #expect(silent.values == [1])
    #expect(other.values == [1])
    silent.cancel()
    other.cancel()
    // It was asked once and for all.
    let later = TestSubscriber<Int, Broken>()
    subject.subscribe(later)
    #expect(upstream.requests == [.unlimited])
    later.cancel()
    feed.cancel()
  }

  @Test func `D17: an upstream that comes after the demand is asked at once`() {
    let upstream = TestPublisher<Int, Broken>()
    let subject = PassthroughSubject<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    subject.subscribe(subscriber)
    let feed = upstream.subscribe(subject)
    #expect(upstream.requests == [.unlimited])
    // A subscriber that has left has no say.
    subscriber.cancel()
    let next = TestPublisher<Int, Broken>()
    let nextFeed = next.subscribe(subject)
    #expect(next.requests == [])
    feed.cancel()
    nextFeed.cancel()
  }

  @Test func `D17: a current value subject asks its upstream at once`() {
    let upstream = TestPublisher<Int, Broken>()
    let subject = CurrentValueSubject<Int, Broken>(0)
    let feed = upstream.subscribe(subject)
    #expect(upstream.requests == [.unlimited])
    upstream.send(7)
    #expect(subject.value == 7)
    feed.cancel()
  }

  @Test func `D17: a cold upstream does not run past who has not asked yet`() {
    let subject = PassthroughSubject<Int, Never>()
    let feed = (1...5).publisher.subscribe(subject)
    let first = TestSubscriber<Int, Never>(initialDemand: .none)
    let second = TestSubscriber<Int, Never>()
    subject.subscribe(first)
    #expect(first.events == [.subscription])
    subject.subscribe(second)
    #expect(second.values == [1, 2, 3, 4, 5])
    #expect(first.events == [.subscription, .completion(.finished)])
    #expect(first.violations + second.violations == [])
    feed.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D13: late signals of an upstream that was cancelled are ignored`(kind: SubjectKind) {
    let old = TestPublisher<Int, Broken>(ignoresCancel: true)
    let new = TestPublisher<Int, Broken>()
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>()
    subject.subscribe(subscriber)
    let oldFeed = old.subscribe(subject)
    old.send(1)
    oldFeed.cancel()
    oldFeed.cancel()
    #expect(old.cancelCount == 1)
    let newFeed = new.subscribe(subject)
    old.send(2)
    new.send(3)
    old.send(completion: .finished)
    new.send(4)
    #expect(subscriber.values == kind.replay + [1, 3, 4])
    #expect(subscriber.completion == nil)
    newFeed.cancel()
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D13: signals of an upstream after the terminal are ignored`(kind: SubjectKind) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>()
    subject.subscribe(subscriber)
    let feed = upstream.subscribe(subject)
    subject.send(completion: .finished)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.values == kind.replay)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    feed.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D17: an upstream that comes after the terminal is cancelled and never asked`(
    kind: SubjectKind
  ) {
    let upstream = TestPublisher<Int, Broken>()
    let subject = kind.make()
    subject.send(completion: .finished)
    let feed = upstream.subscribe(subject)
    #expect(upstream.cancelCount == 1)
    #expect(upstream.requests == [])
    feed.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D17: reconnecting any number of times keeps no old subscription`(kind: SubjectKind) {
    let subject = kind.make()
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    for round in 0..<50 {
      let feed = upstream.subscribe(subject)
      tracker.track(upstream.subscriptions[0], "subscription \(round)")
      if round.isMultiple(of: 2) { feed.cancel() } else { upstream.subscriptions[0].cancel() }
      upstream.forgetSubscriptions()
      feed.cancel()
    }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subject) {}
  }

  @Test(arguments: SubjectKind.allCases)
  func `D17: a subject that dies cancels every upstream it was given, asked or not`(
    kind: SubjectKind
  ) {
    let upstream = TestPublisher<Int, Broken>()
    do {
      let subject = kind.make()
      let hand = TestSubscriber<Int, Broken>(initialDemand: .none)
      upstream.subscribe(hand)
      subject.send(subscription: hand.subscription ?? Subscriptions.empty)
      subject.send(subscription: hand.subscription ?? Subscriptions.empty)
      #expect(upstream.cancelCount == 0)
    }
    #expect(upstream.cancelCount == 2)
  }

  @Test(arguments: SubjectKind.allCases)
  func `O2: a terminal lets go of every upstream without cancelling it`(kind: SubjectKind) {
    let subject = kind.make()
    let ending = TestPublisher<Int, Broken>()
    let going = TestPublisher<Int, Broken>()
    let tracker = LifetimeTracker()
    let feeds = [ending.subscribe(subject), going.subscribe(subject)]
    for publisher in [ending, going] { tracker.track(publisher.subscriptions[0]) }
    ending.send(completion: .finished)
    ending.forgetSubscriptions()
    #expect(ending.cancelCount == 0)
    #expect(tracker.survivors().count == 1)
    going.send(5)
    feeds.forEach { $0.cancel() }
    going.forgetSubscriptions()
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subject) {}
  }
}

struct SubjectUpstreamRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D2: two upstreams on two threads feed one subject in one order`(kind: SubjectKind) {
    let subject = kind.make()
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
    for subscriber in subscribers { subject.subscribe(subscriber) }
    let upstreams = (0..<2).map { _ in TestPublisher<Int, Broken>() }
    let feeds = upstreams.map { $0.subscribe(subject) }
    let isOver = race(
      { (1...500).forEach(upstreams[0].send) }, { (1001...1500).forEach(upstreams[1].send) })
    #expect(isOver)
    #expect(subscribers[0].values.count == 1000 + kind.replay.count)
    for subscriber in subscribers {
      #expect(subscriber.values == subscribers[0].values)
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
    feeds.forEach { $0.cancel() }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D17: an upstream that comes while the subject ends is not kept`(
    kind: SubjectKind
  ) throws {
    final class Feed: Subscription, Sendable {
      func request(_ demand: Subscribers.Demand) {}
      func cancel() {}
    }
    for _ in 0..<1500 {
      let subject = kind.make()
      let tracker = LifetimeTracker()
      let isOver = race(
        { subject.send(completion: .finished) },
        { subject.send(subscription: tracker.track(Feed(), "feed")) })
      try #require(isOver)
      try #require(tracker.survivors() == [])
      withExtendedLifetime(subject) {}
    }
  }
}
