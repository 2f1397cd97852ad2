import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A scripted upstream keeps the contract, and records the calls that it receives.
struct MarblePublisherTests {
  let scheduler = TestScheduler()

  @Test func `subscribe delivers nothing, and the next advance delivers tick 0`() {
    let recorder = scheduler.cold("a-|").record(scheduler: scheduler)
    #expect(recorder.events == [.subscription])
    scheduler.advance(by: 0)
    #expect(recorder.values == ["a"])
    scheduler.advance(by: 2)
    #expect(Marbles(recorder.timedEvents) == "a-|")
  }

  @Test func `each subscriber has a run of its own`() throws {
    let upstream = scheduler.cold("a-b|", values: ["a": 1, "b": 2])
    let early = upstream.record(scheduler: scheduler)
    scheduler.advance(by: 1)
    let late = upstream.record(scheduler: scheduler)
    try scheduler.run()
    try early.expectMarbles("a-b|", values: ["a": 1, "b": 2])
    try late.expectMarbles("-a-b|", values: ["a": 1, "b": 2])
    #expect(upstream.subscriptions.map(\.subscribedAt) == [0, 1])
    #expect(upstream.marbles == "a-b|")
  }

  @Test func `D8: a value without demand is dropped, and the terminal needs no demand`() throws {
    let upstream = scheduler.cold("abcd|")
    let subscriber = TestSubscriber<String, Never>(initialDemand: .none, scheduler: scheduler) {
      _, value in value == "b" ? .max(1) : .none
    }
    upstream.subscribe(subscriber)
    scheduler.advance(by: 0)
    subscriber.request(.max(1))
    try scheduler.run()
    #expect(Marbles(subscriber.timedEvents) == "-bc-|")
    #expect(subscriber.violations == [])
    let subscription = try #require(upstream.subscriptions.first)
    #expect(subscription.requests == [.max(1)])
    #expect(subscription.droppedCount == 2)
    #expect(subscription.cancelledAt == nil)
    #expect("\(subscription)" == "MarbleSubscription")
  }

  @Test func `D7: a cancel inside a group ends it, and leaves nothing scheduled`() {
    let upstream = scheduler.cold("-(abc)d|")
    let subscriber = TestSubscriber<String, Never> { subscriber, value in
      if value == "b" { subscriber.cancel() }
      return .none
    }
    upstream.subscribe(subscriber)
    scheduler.advance(by: 1)
    #expect(subscriber.values == ["a", "b"])
    #expect(scheduler.scheduledCount == 0)
    #expect(upstream.subscriptions.map(\.cancelledAt) == [1])
    scheduler.advance(by: 9)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel inside receive(subscription:) leaves nothing scheduled`() {
    let upstream = scheduler.cold("abc|")
    let subscriber = TestSubscriber<String, Never>(whenSubscribed: { $0.cancel() })
    upstream.subscribe(subscriber)
    #expect(scheduler.scheduledCount == 0)
    scheduler.advance(by: 9)
    #expect(subscriber.events == [.subscription])
  }

  @Test func `O2: cancel and the terminal release the subscriber`() throws {
    let tracker = LifetimeTracker()
    let upstream = scheduler.cold("a|")
    do {
      let ended = tracker.track(TestSubscriber<String, Never>(), "ended")
      upstream.subscribe(ended)
      try scheduler.run()
      let cancelled = tracker.track(TestSubscriber<String, Never>(), "cancelled")
      upstream.subscribe(cancelled)
      cancelled.cancel()
    }
    #expect(tracker.survivors().isEmpty)
    #expect(upstream.subscriptions.count == 2)
  }

  @Test func `a publisher fails at the # of its line`() throws {
    let cold = scheduler.cold("a#", values: ["a": 1], error: Broken()).record()
    let hot = scheduler.hot("a#", values: ["a": 1], error: Broken()).record()
    try scheduler.run()
    try cold.expectEvents([.value(1), .completion(.failure(Broken()))])
    try hot.expectEvents([.value(1), .completion(.failure(Broken()))])
  }

  @Test func `a hot publisher runs with or without subscribers`() throws {
    let upstream = scheduler.hot("ab-c|")
    let early = upstream.record(scheduler: scheduler)
    scheduler.advance(by: 1)
    let late = upstream.record(scheduler: scheduler)
    try scheduler.run()
    let tooLate = upstream.record(scheduler: scheduler)
    try early.expectMarbles("ab-c|")
    try late.expectMarbles("---c|")
    try tooLate.expectMarbles("----|")
    #expect(upstream.marbles == "ab-c|")
  }

  @Test func `two runs that meet in a tick deliver in the order of their subscriptions`() throws {
    let notes = Notes<String>()
    let one = scheduler.cold("a--(bc)").sink { notes.append("one \($0)") }
    let two = scheduler.cold("-a-b").sink { notes.append("two \($0)") }
    try scheduler.run()
    #expect(notes.all == ["one a", "two a", "one b", "one c", "two b"])
    one.cancel()
    two.cancel()
  }

  @Test func `a shared marble publisher is subscribed to once`() throws {
    let upstream = scheduler.cold("ab-c|")
    let shared = upstream.share(replay: .latest)
    let first = shared.record(scheduler: scheduler)
    scheduler.advance(by: 2)
    let second = shared.record(scheduler: scheduler)
    try scheduler.run()
    try first.expectMarbles("ab-c|")
    try second.expectMarbles("--bc|")
    #expect(upstream.subscriptions.count == 1)
  }

  @Test func `a character without a value stops the program with the reason`() async {
    let missing = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = TestScheduler().cold("ax", values: ["a": 1]) }
    let text = missing.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("Marbles ax: there is no value for `x`. Give one in `values`") == true)
    await #expect(processExitsWith: .failure) { _ = TestScheduler().hot("a#") }
  }
}
