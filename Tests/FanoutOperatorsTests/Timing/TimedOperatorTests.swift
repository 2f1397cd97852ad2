import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The rules that all operators with a timer keep.
@Suite(.noLeaks) struct TimedOperatorTests {
  @Test(arguments: TimedOperator.allCases)
  func `D7, O2: a cancel releases the subscriber, the values and the scheduler at once`(
    operation: TimedOperator
  ) {
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
        operation.over(upstream, scheduler).subscribe(subscriber)
        subscription = subscriber.subscription
      }
      weakSubscription = subscription as AnyObject
      for _ in 0..<3 { upstream.send(Token { released.increment() }) }
      #expect(scheduler.scheduledCount >= 1)
      subscription?.cancel()
      #expect(upstream.cancelCount == 1)
      #expect(weakSubscriber == nil)
      #expect(released.value == 3)
      upstream.send(Token { released.increment() })
      upstream.send(completion: .finished)
      #expect(released.value == 4)
      upstream.forgetSubscriptions()
    }
    // An action for the next opportunity retains it; that of a timer is taken back.
    scheduler.advance(by: 0)
    let isGone = weakSubscription == nil
    #expect(isGone)
    #expect(scheduler.scheduledCount == 0)
  }

  @Test(arguments: TimedOperator.allCases)
  func `O2: at the end the timer's action is taken back`(operation: TimedOperator) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    operation.over(upstream, scheduler).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    // Only a delayed end waits for its time.
    scheduler.advance(by: operation == .delay ? 10 : 0)
    #expect(subscriber.completion == .failure(Broken()))
    #expect(scheduler.scheduledCount == 0)
    upstream.forgetSubscriptions()
  }

  @Test(arguments: TimedOperator.allCases)
  func `O2: an action that a scheduler cannot take back retains nothing`(
    operation: TimedOperator
  ) {
    let scheduler = KeepingScheduler()
    let upstream = TestPublisher<Token, Broken>()
    let released = Shared(0)
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    weak var weakSubscription: AnyObject?
    do {
      let subscriber = TestSubscriber<Token, Broken>()
      weakSubscriber = subscriber
      operation.over(upstream, scheduler).subscribe(subscriber)
      weakSubscription = subscriber.subscription as AnyObject
      for _ in 0..<3 { upstream.send(Token { released.increment() }) }
      subscriber.cancel()
      upstream.forgetSubscriptions()
    }
    #expect(weakSubscriber == nil)
    #expect(released.value == 3)
    // Only an action for the next opportunity retains the subscription, and nothing of it.
    scheduler.forgetNext()
    let isGone = weakSubscription == nil
    #expect(isGone)
    #expect(scheduler.timed.value.count == 1)
  }

  @Test(arguments: TimedOperator.allCases)
  func `O2: at the end the subscriber is released, and the timer retains nothing`(
    operation: TimedOperator
  ) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Token, Broken>()
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    weak var weakToken: Token?
    weak var weakSubscription: AnyObject?
    do {
      let subscriber = TestSubscriber<Token, Broken>()
      weakSubscriber = subscriber
      operation.over(upstream, scheduler).subscribe(subscriber)
      weakSubscription = subscriber.subscription as AnyObject
      let token = Token()
      weakToken = token
      upstream.send(token)
      upstream.send(completion: .finished)
      upstream.forgetSubscriptions()
      scheduler.advance(by: 10)
      #expect(subscriber.completion == .finished)
      #expect(subscriber.values.count == 1)
      #expect(subscriber.violations == [])
    }
    #expect(weakSubscriber == nil)
    #expect(weakToken == nil)
    let isGone = weakSubscription == nil
    #expect(isGone)
  }

  @Test(arguments: TimedOperator.allCases)
  func `O2: nothing keeps the subscriber alive when the scheduler is released with its actions`(
    operation: TimedOperator
  ) {
    weak var weakSubscriber: TestSubscriber<Token, Broken>?
    weak var weakToken: Token?
    do {
      let scheduler = TestScheduler()
      let upstream = TestPublisher<Token, Broken>()
      let subscriber = TestSubscriber<Token, Broken>()
      weakSubscriber = subscriber
      operation.over(upstream, scheduler).subscribe(subscriber)
      let token = Token()
      weakToken = token
      upstream.send(token)
      upstream.forgetSubscriptions()
      subscriber.cancel()
    }
    #expect(weakSubscriber == nil)
    #expect(weakToken == nil)
  }

  @Test(arguments: TimedOperator.allCases)
  func `D7: a cancel inside a delivery is the last that happens`(operation: TimedOperator) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    operation.over(upstream, scheduler).subscribe(subscriber)
    for value in 1...4 {
      upstream.send(value)
      scheduler.advance(by: 20)
    }
    upstream.send(completion: .finished)
    scheduler.advance(by: 20)
    #expect(subscriber.values.count == 1)
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
    upstream.forgetSubscriptions()
  }

  @Test(arguments: TimedOperator.allCases)
  func `D7: a cancel inside receive(subscription:), and nothing is requested after it`(
    operation: TimedOperator
  ) {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: .none, whenSubscribed: { $0.cancel() })
    let scheduler = TestScheduler()
    operation.over(upstream, scheduler).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    scheduler.advance(by: 20)
    #expect(subscriber.events == [.subscription])
    #expect(upstream.cancelCount == 1)
    #expect(upstream.requests == [])
    upstream.forgetSubscriptions()
  }

  @Test(arguments: TimedOperator.allCases)
  func `D11: the deinit of a value may cancel`(operation: TimedOperator) {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Token, Broken>(ignoresCancel: true)
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<Int>()
    held.value = operation.over(upstream, scheduler).sink(
      receiveCompletion: { _ in }, receiveValue: { received.append($0.id) })
    upstream.send(Token(1) { held.value?.cancel() })
    upstream.send(Token(2))
    upstream.send(Token(3))
    scheduler.advance(by: 100)
    upstream.send(Token(4))
    scheduler.advance(by: 100)
    #expect(!received.all.contains(4))
    held.value = nil
    upstream.forgetSubscriptions()
  }

  @Test(arguments: TimedOperator.allCases)
  func `D14: an end that comes within the subscription`(operation: TimedOperator) {
    for count in 0...1 {
      let scheduler = TestScheduler()
      let subscriber = TestSubscriber<Int, Never>()
      operation.over((0..<count).publisher, scheduler).subscribe(subscriber)
      scheduler.advance(by: 10)
      #expect(subscriber.values == Array(0..<count))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: TimedOperator.allCases)
  func `O2: a second subscription is cancelled`(operation: TimedOperator) {
    let scheduler = TestScheduler()
    let twice = Misbehaving()
    let subscriber = TestSubscriber<Int, Never>()
    operation.over(twice, scheduler).subscribe(subscriber)
    scheduler.advance(by: 50)
    #expect(twice.second.cancelCount == 1)
    #expect(subscriber.values == [1])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `misuse traps: a negative interval, and a count below one`() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).debounce(for: -1, scheduler: TestScheduler())
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).throttle(for: -1, scheduler: TestScheduler(), latest: true)
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).delay(for: -1, scheduler: TestScheduler())
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).timeout(-1, scheduler: TestScheduler())
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).collect(.byTime(TestScheduler(), -1))
    }
    await #expect(processExitsWith: .failure) {
      _ = Just(1).collect(.byTimeOrCount(TestScheduler(), 1, 0))
    }
  }

  @Test func `they call themselves by their names`() {
    let scheduler = TestScheduler()
    func name<P: Publisher>(_ publisher: P) -> String {
      let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: .none)
      publisher.receive(subscriber: subscriber)
      defer { subscriber.cancel() }
      return "\(subscriber.subscription ?? Subscriptions.empty)"
    }
    let never = Empty<Int, Never>(completeImmediately: false)
    #expect(name(never.debounce(for: 1, scheduler: scheduler)) == "Debounce")
    #expect(name(never.throttle(for: 1, scheduler: scheduler, latest: true)) == "Throttle")
    #expect(name(never.delay(for: 1, scheduler: scheduler)) == "Delay")
    #expect(name(never.timeout(1, scheduler: scheduler)) == "Timeout")
    #expect(name(never.collect(.byTime(scheduler, 1))) == "CollectByTime")
    #expect(name(never.measureInterval(using: scheduler)) == "MeasureInterval")
  }

  @Test func `the publishers are Sendable where their parts are`() {
    func needsSendable<T: Sendable>(_: T) {}
    let (just, scheduler) = (Just(1), TestScheduler())
    needsSendable(just.debounce(for: 1, scheduler: scheduler))
    needsSendable(just.throttle(for: 1, scheduler: scheduler, latest: true))
    needsSendable(just.delay(for: 1, scheduler: scheduler))
    needsSendable(just.timeout(1, scheduler: scheduler))
    needsSendable(just.collect(.byTime(scheduler, 1)))
    needsSendable(just.measureInterval(using: scheduler))
  }
}

/// A scheduler of a user's own, which keeps every action for ever.
private struct KeepingScheduler: Scheduler, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let next = Shared<[@Sendable () -> Void]>([])
  let timed = Shared<[@Sendable () -> Void]>([])

  var now: SchedulerTimeType { 0 }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    next.change { $0.append(action) }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    timed.change { $0.append(action) }
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    timed.change { $0.append(action) }
    return Subscriptions.empty
  }

  func forgetNext() { next.value = [] }
}

/// A publisher that subscribes twice.
private struct Misbehaving: Publisher {
  typealias Output = Int
  typealias Failure = Never

  final class Noting: Subscription, Sendable {
    private let cancels = Shared(0)
    var cancelCount: Int { cancels.value }
    func request(_ demand: Subscribers.Demand) {}
    func cancel() { cancels.increment() }
  }

  let second = Noting()

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Noting())
    subscriber.receive(subscription: second)
    _ = subscriber.receive(1)
  }
}
