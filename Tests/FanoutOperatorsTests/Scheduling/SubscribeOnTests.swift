import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct SubscribeOnTests {
  @Test func `subscription, requests and cancel run on the scheduler, in order`() {
    let scheduler = TestScheduler()
    let notes = Notes<String>()
    let upstream = TestPublisher<Int, Broken>(
      whenAsked: { notes.append("\($1)") }, whenCancelled: { _ in notes.append("cancel") })
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    upstream.subscribe(on: scheduler).subscribe(subscriber)
    #expect(upstream.subscriptionCount == 0)
    #expect(subscriber.events == [])
    scheduler.advance(by: 0)
    #expect(subscriber.events == [.subscription])
    #expect(notes.all == ["max(1)"])
    subscriber.request(.max(2))
    #expect(notes.all.count == 1)
    scheduler.advance(by: 0)
    #expect(notes.all == ["max(1)", "max(2)"])
    subscriber.cancel()
    #expect(notes.all.count == 2)
    scheduler.advance(by: 0)
    #expect(notes.all == ["max(1)", "max(2)", "cancel"])
    upstream.forgetSubscriptions()
  }

  @Test func `values and the end pass straight through`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken> { _, value in .max(value) }
    upstream.subscribe(on: scheduler).subscribe(subscriber)
    scheduler.advance(by: 0)
    #expect(upstream.subscriptions[0].send(3) == .max(3))
    upstream.send(completion: .failure(Broken()))
    #expect(
      subscriber.events == [.subscription, .value(3), .completion(.failure(Broken()))])
    #expect(subscriber.violations == [])
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `D7, O2: a cancel lets go of the subscriber at once, and nothing follows`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    weak var weakSubscriber: TestSubscriber<Int, Broken>?
    let subscription: (any Subscription)?
    do {
      let subscriber = TestSubscriber<Int, Broken>()
      weakSubscriber = subscriber
      upstream.subscribe(on: scheduler).subscribe(subscriber)
      scheduler.advance(by: 0)
      subscription = subscriber.subscription
    }
    subscription?.cancel()
    #expect(weakSubscriber == nil)
    upstream.send(1)
    #expect(upstream.cancelCount == 0)
    scheduler.advance(by: 0)
    #expect(upstream.cancelCount == 1)
    upstream.forgetSubscriptions()
    withExtendedLifetime(subscription) {}
  }

  @Test func `O2: a cancel before the scheduled subscription leaves nothing`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let token = Shared<Token?>(Token())
    weak let weakToken = token.value
    let cancellable = upstream.subscribe(on: scheduler).sink(
      receiveCompletion: { _ in }, receiveValue: { [held = token.value] _ in _ = held })
    token.value = nil
    cancellable.cancel()
    // The sink has released its closure.
    #expect(weakToken == nil)
    scheduler.advance(by: 0)
    #expect(upstream.cancelCount == upstream.subscriptionCount)
    #expect(upstream.requests == [])
    #expect(scheduler.scheduledCount == 0)
    upstream.forgetSubscriptions()
  }

  @Test func `O2: a request that waits does not keep an upstream that has ended`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.subscribe(on: scheduler).subscribe(subscriber)
    scheduler.advance(by: 0)
    weak let weakSubscription = upstream.subscriptions[0]
    subscriber.request(.max(1))
    upstream.send(completion: .finished)
    upstream.forgetSubscriptions()
    #expect(weakSubscription == nil)
    scheduler.advance(by: 0)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
  }

  @Test func `on a scheduler that runs at once it is as without`() {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(1), demandFor: { _, _ in .max(1) })
    (1...100).publisher.subscribe(on: ImmediateScheduler.shared).subscribe(subscriber)
    #expect(subscriber.values == Array(1...100))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `on a concurrent queue every value asked for comes`() {
    for _ in 0..<50 {
      let queue = DispatchQueue(label: "test", attributes: .concurrent)
      let isOver = Gate()
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: .max(1),
        demandFor: { subscriber, _ in
          subscriber.request(.max(1))
          return .none
        }, whenCompleted: { _ in isOver.open() })
      (1...50).publisher.subscribe(on: queue).subscribe(subscriber)
      #expect(isOver.wait())
      #expect(subscriber.values == Array(1...50))
      #expect(subscriber.violations == [])
      queue.sync(flags: .barrier) {}
    }
  }

  @Test func `it calls itself SubscribeOn`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Just(1).subscribe(on: ImmediateScheduler.shared).subscribe(subscriber)
    #expect("\(subscriber.subscription ?? Subscriptions.empty)" == "SubscribeOn")
    subscriber.cancel()
  }
}

@Suite(.noLeaks) struct SubscribeOnRaceTests {
  @Test func `D7: a cancel that races with the scheduled subscription`() {
    for _ in 0..<100 {
      let queue = DispatchQueue(label: "test")
      let subject = PassthroughSubject<Int, Never>()
      let late = Shared(0)
      let sink = subject.subscribe(on: queue).sink { _ in late.increment() }
      let areDone = race({ sink.cancel() }, { for value in 0..<20 { subject.send(value) } })
      #expect(areDone)
      queue.sync {}
      let before = late.value
      subject.send(1)
      #expect(late.value == before)
    }
  }
}
