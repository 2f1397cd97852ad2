import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import Testing

/// The references of a backlog with limits, and their ends.
struct O2LimitTests {
  private typealias Source = PassthroughSubject<Token, Broken>
  private typealias WhenFull = Backlog<Token, Broken>.WhenFull

  private let clock = TestScheduler()

  private func stuck() -> TestSubscriber<Token, Broken> { TestSubscriber(initialDemand: .none) }

  private func watch(_ objects: AnyObject...) -> [WeakReference] {
    objects.map { WeakReference($0) }
  }

  /// A wait that ends, whose second treatment captures a token.
  private func waiting(_ token: Token) -> WhenFull {
    .wait(
      atMost: .seconds(5), scheduler: clock,
      then: .customError {
        withExtendedLifetime(token) {}
        return Broken()
      })
  }

  /// A backlog with limits, each of whose closures captures a token.
  private func conflating(_ tokens: [Token]) -> Backlog<Token, Broken> {
    .limit(
      .count(1), .cost(9) { [token = tokens[0]] _ in withExtendedLifetime(token) { 1 } },
      .age(.seconds(5), clock: clock),
      whenFull: .conflate(
        by: { [token = tokens[1]] value in withExtendedLifetime(token) { ObjectIdentifier(value) }
        },
        { [token = tokens[2]] _, new in withExtendedLifetime(token) { new } }))
  }

  @Test(arguments: [false, true])
  func `O2, L7: a subscriber that leaves while the time of its wait runs keeps nothing`(
    hasOwnTerms: Bool
  ) {
    let source = Source()
    var watches: [WeakReference] = []
    var subscription: (any Subscription)?
    do {
      let (token, value) = (Token(), Token())
      let whenFull = waiting(token)
      let shared = source.share(backlog: .size(1, whenFull: hasOwnTerms ? .wait : whenFull))
      let stuck = stuck()
      if hasOwnTerms {
        shared.joining(backlog: .size(1, whenFull: whenFull)).subscribe(stuck)
      } else {
        shared.subscribe(stuck)
      }
      source.send(value)
      subscription = stuck.subscription
      watches = watch(token, value, shared, stuck)
    }
    #expect(watches.allSatisfy { $0.isAlive })
    #expect(clock.scheduledCount == 1)
    subscription?.cancel()
    // Though the subscription itself is still held.
    #expect(watches.map(\.isAlive) == [false, false, false, false])
    #expect(clock.scheduledCount == 0)
    let weak = WeakReference(subscription as AnyObject?)
    subscription = nil
    #expect(!weak.isAlive)
  }

  @Test func `O2: a subscriber that ends while the time of its wait runs keeps nothing`() {
    let source = Source()
    var watches: [WeakReference] = []
    do {
      let (token, value) = (Token(), Token())
      let shared = source.share(backlog: .size(1, whenFull: waiting(token)))
      let stuck = stuck()
      shared.subscribe(stuck)
      source.send(value)
      source.send(completion: .finished)
      #expect(stuck.completion == nil)
      watches = watch(token, value, shared, stuck)
      stuck.request(.max(1))
      #expect(stuck.completion == .finished)
    }
    #expect(watches.map(\.isAlive) == [false, false, false, false])
    clock.advance(by: .seconds(9))
    #expect(clock.scheduledCount == 0)
  }

  @Test(arguments: [false, true])
  func `O6, O2: a share that is released while values are conflated releases what it captured`(
    hasOwnTerms: Bool
  ) {
    let source = Source()
    var captured: [WeakReference] = []
    var values: [WeakReference] = []
    var subscription: (any Subscription)?
    do {
      let tokens = (0..<3).map { Token($0) }
      let backlog = conflating(tokens)
      let shared = source.share(backlog: hasOwnTerms ? nil : backlog)
      let stuck = stuck()
      if hasOwnTerms {
        shared.joining(backlog: backlog).subscribe(stuck)
      } else {
        shared.subscribe(stuck)
      }
      let sent = (0..<4).map { Token($0) }
      for value in sent + sent { source.send(value) }
      subscription = stuck.subscription
      #expect(shared.status.subscribers.first?.conflated == 4)
      captured = watch(tokens[0], tokens[1], tokens[2], shared, stuck)
      values = sent.map { WeakReference($0) }
    }
    #expect((captured + values).allSatisfy { $0.isAlive })
    subscription?.cancel()
    #expect(captured.map(\.isAlive) == [false, false, false, false, false])
    #expect(values.map(\.isAlive) == [false, false, false, false])
    withExtendedLifetime(subscription) {}
  }

  @Test func `O6: a replay with limits is released with the share, and so is what it captured`() {
    let source = Source()
    var watches: [WeakReference] = []
    do {
      let (token, value) = (Token(), Token())
      let shared = source.share(
        replay: .last(
          .count(3), .cost(9) { _ in withExtendedLifetime(token) { 1 } },
          .age(.seconds(5), clock: clock)))
      let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      source.send(value)
      #expect(shared.replayed.count == 1)
      watches = watch(token, value, shared)
      keeping.cancel()
    }
    #expect(watches.map(\.isAlive) == [false, false, false])
  }

  @Test func `B6, O2: a timer that fires behind a cancel asks for nothing`() {
    let source = TestPublisher<Token, Broken>()
    let shared = source.share(backlog: .size(1, whenFull: waiting(Token())))
    let (stuck, other) = (stuck(), TestSubscriber<Token, Broken>(initialDemand: .none))
    for subscriber in [stuck, other] { shared.subscribe(subscriber) }
    source.send(Token())
    stuck.cancel()
    // The other one takes its value, so that its time is over before it ends.
    other.request(.max(1))
    let asked = source.requests.count
    clock.advance(by: .seconds(9))
    #expect(source.requests.count == asked)
    other.cancel()
    #expect(source.cancelCount == 1)
    clock.advance(by: .seconds(9))
    #expect(clock.scheduledCount == 0)
    #expect(source.requests.count == asked)
    #expect(stuck.values.isEmpty && stuck.completion == nil)
  }
}
