import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct ReceiveOnTests {
  @Test func `values and the end come on the scheduler, the subscription at once`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.receive(on: scheduler).subscribe(subscriber)
    #expect(subscriber.events == [.subscription])
    (1...3).forEach(upstream.send)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription])
    // One action for all.
    #expect(scheduler.scheduledCount == 1)
    scheduler.advance(by: 0)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `D9: an end with nothing before it, and a failure`() {
    for end in [Subscribers.Completion<Broken>.finished, .failure(Broken())] {
      let scheduler = TestScheduler()
      let upstream = TestPublisher<Int, Broken>()
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
      upstream.receive(on: scheduler).subscribe(subscriber)
      upstream.send(completion: end)
      #expect(subscriber.completion == nil)
      scheduler.advance(by: 0)
      #expect(subscriber.events == [.subscription, .completion(end)])
    }
  }

  @Test func `D8: demand goes up as it is, on the thread that asks`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2)) { _, value in
      value == 1 ? .max(3) : .none
    }
    upstream.receive(on: scheduler).subscribe(subscriber)
    #expect(upstream.requests == [.max(2)])
    upstream.send(1)
    scheduler.advance(by: 0)
    #expect(upstream.requests == [.max(2), .max(3)])
    subscriber.request(.max(1))
    #expect(upstream.requests == [.max(2), .max(3), .max(1)])
    // A request schedules nothing if nothing waits.
    #expect(scheduler.scheduledCount == 0)
    subscriber.cancel()
  }

  @Test func `D8, D9: what comes unasked waits, and the end behind it`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    upstream.receive(on: scheduler).subscribe(subscriber)
    (1...3).forEach(upstream.send)
    upstream.send(completion: .finished)
    scheduler.advance(by: 0)
    #expect(subscriber.values == [1])
    subscriber.request(.max(1))
    #expect(subscriber.values == [1])
    scheduler.advance(by: 0)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    scheduler.advance(by: 0)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: [1, 2, 127, 128, 129, 200, 299, 300])
  func `D8, D9: what waits together is delivered as far as it is requested`(count: Int) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(count))
    upstream.receive(on: scheduler).subscribe(subscriber)
    (1...300).forEach(upstream.send)
    scheduler.advance(by: 0)
    #expect(subscriber.values == Array(1...count))
    upstream.send(completion: .finished)
    scheduler.advance(by: 0)
    #expect(subscriber.completion == (count == 300 ? .finished : nil))
    subscriber.request(.max(300))
    scheduler.advance(by: 0)
    #expect(subscriber.values == Array(1...300))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: [false, true])
  func `D8, D9: a request, values and the end between two actions come behind what waits`(
    isUnlimited: Bool
  ) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: isUnlimited ? .unlimited : .max(200))
    upstream.receive(on: scheduler).subscribe(subscriber)
    (1...200).forEach(upstream.send)
    scheduler.schedule {
      #expect(subscriber.values == Array(1...128))
      subscriber.request(.max(100))
      (201...250).forEach(upstream.send)
      upstream.send(completion: .finished)
      #expect(subscriber.values == Array(1...128))
    }
    scheduler.advance(by: 0)
    #expect(subscriber.values == Array(1...250))
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `an action leaves what is too much to the next one`() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let notes = Notes<Int>()
    let sink = subject.receive(on: scheduler).sink { notes.append($0) }
    (1...300).forEach(subject.send)
    scheduler.schedule { notes.append(-1) }
    scheduler.advance(by: 0)
    #expect(notes.all == Array(1...128) + [-1] + Array(129...300))
    sink.cancel()
  }

  @Test func `it does so also if more is sent all the time`() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let notes = Notes<Int>()
    let sink = subject.receive(on: scheduler).sink { [unowned subject] value in
      notes.append(value)
      if value < 300 { subject.send(value + 1) }
    }
    subject.send(1)
    scheduler.schedule { notes.append(-1) }
    scheduler.advance(by: 0)
    #expect(notes.all == Array(1...128) + [-1] + Array(129...300))
    sink.cancel()
  }

  @Test func `on a scheduler that runs at once, everything is delivered within the send`() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never> { [unowned subject] _, value in
      if value.isMultiple(of: 10) { subject.send(value + 1) }
      return .none
    }
    subject.receive(on: ImmediateScheduler.shared).subscribe(subscriber)
    subject.send(10)
    #expect(subscriber.values == [10, 11])
    subject.send(20)
    subject.send(completion: .finished)
    #expect(subscriber.values == [10, 11, 20, 21])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D1: a synchronous upstream on a scheduler that runs at once`() {
    for demand in [Subscribers.Demand.unlimited, .max(1)] {
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: demand, demandFor: { _, _ in demand })
      (1...500).publisher.receive(on: ImmediateScheduler.shared).subscribe(subscriber)
      #expect(subscriber.values == Array(1...500))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D7, O2: after a cancel nothing comes, and all but the action is let go at once`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Token, Broken>(ignoresCancel: true)
    let released = Shared(0)
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    weak var weakSubscription: AnyObject?
    do {
      let subscription: (any Subscription)?
      do {
        let subscriber = TestSubscriber<Token, Broken>()
        weakSubscriber = subscriber
        upstream.receive(on: scheduler).subscribe(subscriber)
        subscription = subscriber.subscription
      }
      weakSubscription = subscription as AnyObject
      for _ in 0..<3 { upstream.send(Token { released.increment() }) }
      #expect(scheduler.scheduledCount == 1)
      subscription?.cancel()
      #expect(upstream.cancelCount == 1)
      #expect(weakSubscriber == nil)
      #expect(released.value == 3)
      upstream.send(Token { released.increment() })
      upstream.send(completion: .finished)
      #expect(released.value == 4)
      upstream.forgetSubscriptions()
    }
    // The action that waits has it still.
    let isAlive = weakSubscription != nil
    #expect(isAlive)
    scheduler.advance(by: 0)
    let isGone = weakSubscription == nil
    #expect(isGone)
  }

  @Test func `O2: a cancelled subscription does not keep a scheduler that keeps its action`() {
    weak var weakScheduler: TestScheduler?
    do {
      let scheduler = TestScheduler()
      weakScheduler = scheduler
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.receive(on: scheduler).sink { _ in }
      subject.send(1)
      sink.cancel()
    }
    let isGone = weakScheduler == nil
    #expect(isGone)
  }

  @Test func `D7: a cancel inside a delivery is the last that happens`() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never> { subscriber, value in
      if value == 2 { subscriber.cancel() }
      return .none
    }
    subject.receive(on: scheduler).subscribe(subscriber)
    (1...4).forEach(subject.send)
    subject.send(completion: .finished)
    scheduler.advance(by: 0)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel inside receive(subscription:)`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(whenSubscribed: { $0.cancel() })
    upstream.receive(on: ImmediateScheduler.shared).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription])
    #expect(upstream.cancelCount == 1)
    upstream.forgetSubscriptions()
  }

  @Test func `it calls itself ReceiveOn`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    Just(1).receive(on: ImmediateScheduler.shared).subscribe(subscriber)
    #expect("\(subscriber.subscription ?? Subscriptions.empty)" == "ReceiveOn")
    subscriber.cancel()
  }
}
