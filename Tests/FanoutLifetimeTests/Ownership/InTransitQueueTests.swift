import Fanout
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestThreads
import Testing

/// References of the operators with a queue that exist only while a value is on its way.
struct InTransitQueueTests {
  /// An account that a closure gives to the test that made it; only one thread runs.
  private final class Account: @unchecked Sendable {
    var sink: Subscribers.Sink<Token, Never>?
    var link: AnyObject?
    var wasSet: [Bool] = []
  }

  @Test(arguments: [Ownership.Event.delivery, .cancel, .completion])
  func `O2: TimerTicket.target: until its action runs, a cancel or the end`(
    event: Ownership.Event
  ) throws {
    typealias Source = PassthroughSubject<Token, Never>
    typealias Sink = Subscribers.Sink<Token, Never>
    let (source, scheduler) = (Source(), TestScheduler())
    let made = Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    source.debounce(for: 10, scheduler: scheduler).receive(subscriber: made)
    let inner = try #require(
      InTransit.object("Debounce.Inner", from: made)
        as? Publishers.Debounce<Source, TestScheduler>.Inner)
    source.send(Token())
    let ticket = try #require(inner.ticket?.takeUnretainedValue())
    #expect(InTransit.isSet("TimerTicket.target", from: ticket))
    switch event {
    case .delivery: scheduler.advance(by: 10)
    case .completion:
      source.send(completion: .finished)
      scheduler.advance(by: 0)
    default: made.cancel()
    }
    #expect(!InTransit.isSet("TimerTicket.target", from: ticket))
    made.cancel()
  }

  @Test func `O2: CombinedSubscription.items: until the end is decided`() {
    let (values, trigger) = (PassthroughSubject<Token, Never>(), PassthroughSubject<Int, Never>())
    let account = Account()
    @Sendable func isSet() -> Bool {
      account.link.map { InTransit.isSet("CombinedSubscription.items", from: $0) } ?? false
    }
    let made = Subscribers.Sink<Token, Never>(receiveCompletion: { _ in }) { _ in
      trigger.send(0)
      account.wasSet.append(isSet())
    }
    values.prefix(untilOutputFrom: trigger).receive(subscriber: made)
    account.link = InTransit.object("CombinedSubscription", from: made)
    #expect(!isSet())
    values.send(Token())
    #expect(account.wasSet == [true])
    #expect(!isSet())
  }

  @Test(arguments: [true, false])
  func `D8, O2: ReceiveOn.Inner.batch.log: until the values are delivered, or a cancel`(
    isCancelled: Bool
  ) {
    let subject = PassthroughSubject<Token, Never>()
    let scheduler = TestScheduler()
    let account = Account()
    let made = Subscribers.Sink<Token, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    subject.receive(on: scheduler).receive(subscriber: made)
    account.link = InTransit.object("ReceiveOn.Inner", from: made)
    account.sink = made
    weak var last: Token?
    func send() {
      let tokens = (1...200).map { _ in Token() }
      last = tokens.last
      for token in tokens { subject.send(token) }
    }
    @Sendable func isSet() -> Bool {
      account.link.map { InTransit.isSet("ReceiveOn.Inner.batch.log", from: $0) } ?? false
    }

    send()
    // The first value lies there at once.
    #expect(isSet())
    // It runs after the first action, which leaves values to the next one.
    scheduler.schedule {
      account.wasSet = [isSet()]
      if isCancelled { account.sink?.cancel() }
    }
    scheduler.advance(by: 0)
    #expect(account.wasSet == [true])
    #expect(!isSet())
    #expect(last == nil)
    made.cancel()
    account.sink = nil
  }

  @Test(arguments: [true, false])
  func `D8, O2: Delay.Inner.batch.log: until the values are delivered, or a cancel`(
    isCancelled: Bool
  ) {
    let subject = PassthroughSubject<Token, Never>()
    let scheduler = TestScheduler()
    let account = Account()
    @Sendable func isSet() -> Bool {
      account.link.map { InTransit.isSet("Delay.Inner.batch.log", from: $0) } ?? false
    }
    let made = Subscribers.Sink<Token, Never>(receiveCompletion: { _ in }) { _ in
      account.wasSet.append(isSet())
      if isCancelled { account.sink?.cancel() }
    }
    subject.delay(for: 10, scheduler: scheduler).receive(subscriber: made)
    account.link = InTransit.object("Delay.Inner", from: made)
    account.sink = made
    weak var last: Token?
    func send() {
      let tokens = (1...3).map { _ in Token() }
      last = tokens.last
      for token in tokens { subject.send(token) }
    }

    send()
    #expect(!isSet())
    scheduler.advance(by: 10)
    #expect(account.wasSet == Array(repeating: true, count: isCancelled ? 1 : 3))
    #expect(!isSet())
    #expect(last == nil)
    made.cancel()
    (account.sink, account.link) = (nil, nil)
  }

  /// Looks at its subscriber before it has a subscription.
  private struct Looking: Publisher {
    typealias Output = Token
    typealias Failure = Never
    let account: Account

    func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Never {
      account.link = subscriber as AnyObject
      account.wasSet.append(isSet)
      subscriber.receive(subscription: Subscriptions.empty)
      account.wasSet.append(isSet)
      account.link = nil
    }

    var isSet: Bool {
      account.link.map { InTransit.isSet("SubscribeOn.Inner.place.scheduler", from: $0) } ?? false
    }
  }

  @Test func `O2: SubscribeOn.Inner.place.scheduler: until it has subscribed`() {
    let account = Account()
    let scheduler = TestScheduler()
    let sink = Looking(account: account).subscribe(on: scheduler).sink { _ in }
    scheduler.advance(by: 0)
    #expect(account.wasSet == [true, false])
    sink.cancel()
    scheduler.advance(by: 0)
  }
}
