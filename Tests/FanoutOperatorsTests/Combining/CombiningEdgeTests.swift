import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that combine: cancels from unexpected places, releases at once, and upstreams that break the rules.
@Suite(.noLeaks) struct CombiningEdgeTests {
  /// A value that runs a closure when it is released.
  private final class Parting: Sendable {
    let whenReleased: @Sendable () -> Void

    init(_ whenReleased: @escaping @Sendable () -> Void = {}) { self.whenReleased = whenReleased }

    deinit { whenReleased() }
  }

  /// A subscriber that counts values, and retains none.
  private final class Counter<Input>: Subscriber, Sendable {
    typealias Failure = Never

    let count = Shared(0)
    let held = Shared<(any Subscription)?>(nil)
    let whenReceived: @Sendable ((any Subscription)?) -> Void

    init(_ whenReceived: @escaping @Sendable ((any Subscription)?) -> Void = { _ in }) {
      self.whenReceived = whenReceived
    }

    func receive(subscription: any Subscription) {
      held.value = subscription
      subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      count.increment()
      whenReceived(held.value)
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }

  @Test func `D7: the release of a value that is replaced may cancel`() {
    let (a, b) = (PassthroughSubject<Parting, Never>(), PassthroughSubject<Int, Never>())
    let counter = Counter<(Parting, Int)>()
    a.combineLatest(b).subscribe(counter)
    a.send(Parting { [held = counter.held] in held.value?.cancel() })
    b.send(1)
    #expect(counter.count.value == 1)
    a.send(Parting())
    #expect(counter.count.value == 1)
    counter.held.value = nil
  }

  @Test(arguments: [true, false])
  func `O2: a cancel releases the values that wait for their turn`(isZip: Bool) {
    let (a, b) = (PassthroughSubject<Parting, Never>(), PassthroughSubject<Int, Never>())
    let released = Shared(0)
    let counter = Counter<(Parting, Int)> { subscription in
      for _ in 0..<3 { a.send(Parting { released.increment() }) }
      subscription?.cancel()
    }
    if isZip { a.zip(b).subscribe(counter) } else { a.combineLatest(b).subscribe(counter) }
    a.send(Parting())
    b.send(1)
    #expect(counter.count.value == 1)
    #expect(released.value == 3)
    counter.held.value = nil
  }

  @Test func `O2: an end releases the values behind it`() {
    let (a, stop) = (PassthroughSubject<Parting, Never>(), PassthroughSubject<Int, Never>())
    let released = Shared(0)
    let counter = Counter<Parting> { _ in
      stop.send(0)
      for _ in 0..<3 { a.send(Parting { released.increment() }) }
    }
    a.prefix(untilOutputFrom: stop).subscribe(counter)
    a.send(Parting())
    #expect(counter.count.value == 1)
    #expect(released.value == 3)
    counter.held.value = nil
  }

  @Test(arguments: [true, false])
  func `O6: the value that starts or ends the others is not kept`(isDrop: Bool) {
    let (a, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Parting, Never>())
    let released = Shared(0)
    let subscriber = TestSubscriber<Int, Never>()
    if isDrop {
      a.drop(untilOutputFrom: trigger).subscribe(subscriber)
    } else {
      a.prefix(untilOutputFrom: trigger).subscribe(subscriber)
    }
    trigger.send(Parting { released.increment() })
    #expect(released.value == 1)
    subscriber.cancel()
  }

  @Test func `Q1: drop(untilOutputFrom:) ignores a failure behind the value that starts it`() {
    let start = TestPublisher<Int, Broken>()
    // The first request in place of a value that is left out comes while the operator is at work.
    let a = TestPublisher<Int, Broken>(
      whenAsked: { subscription, _ in
        guard subscription.requests.count == 2 else { return }
        start.send(0)
        start.send(completion: .failure(Broken()))
      })
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2))
    a.drop(untilOutputFrom: start).subscribe(subscriber)
    a.send(1)
    a.send(2)
    #expect(subscriber.events == [.subscription, .value(2)])
    subscriber.cancel()
  }

  @Test func `D7: a trigger is cancelled at its first value, while another value is delivered`() {
    let (a, stop) = (PassthroughSubject<Int, Broken>(), TestPublisher<Int, Broken>())
    let counts = Notes<Int>()
    let subscriber = TestSubscriber<Int, Broken> { _, _ in
      stop.send(0)
      counts.append(stop.cancelCount)
      return .none
    }
    a.prefix(untilOutputFrom: stop).subscribe(subscriber)
    a.send(1)
    #expect(counts.all == [1])
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test func `Q1: prefix(untilOutputFrom:) finishes before what was accepted behind the trigger`() {
    let (a, stop) = (TestPublisher<Int, Broken>(), PassthroughSubject<Int, Never>())
    let subscriber = TestSubscriber<Int, Broken> { _, value in
      guard value == 1 else { return .none }
      stop.send(0)
      a.send(2)
      a.send(completion: .failure(Broken()))
      return .none
    }
    a.prefix(untilOutputFrom: stop).subscribe(subscriber)
    a.send(1)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test func `Q1: zip finishes with a publisher whose values are paired, before a later failure`() {
    let (a, b) = (TestPublisher<Int, Broken>(), TestPublisher<Int, Broken>())
    let subscriber = TestSubscriber<[Int], Broken> { _, value in
      guard value[0] == 1 else { return .none }
      a.send(2)
      a.send(completion: .finished)
      b.send(2)
      b.send(3)
      b.send(completion: .failure(Broken()))
      return .none
    }
    a.zip(b) { [$0, $1] }.subscribe(subscriber)
    a.send(1)
    b.send(1)
    #expect(
      subscriber.events == [
        .subscription, .value([1, 1]), .value([2, 2]), .completion(.finished),
      ])
  }

  @Test func `D9: zip cancels the other when the last pair waits, and its failure comes too late`()
  {
    let (a, b) = (TestPublisher<Int, Broken>(), TestPublisher<Int, Broken>())
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .none)
    a.zip(b) { [$0, $1] }.subscribe(subscriber)
    a.send(1)
    a.send(completion: .finished)
    #expect(b.cancelCount == 0)
    b.send(1)
    #expect(b.cancelCount == 1)
    b.send(completion: .failure(Broken()))
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value([1, 1]), .completion(.finished)])
  }

  @Test func `D8: a publisher whose subscription comes twice is asked once`() {
    let other = (1...10).publisher
    for operation in 0..<5 {
      let sent = Notes<Int>()
      let twice = ComesTwice(
        upstream: (1...10).publisher.handleEvents(receiveOutput: sent.append)
          .eraseToAnyPublisher())
      let publishers = [
        twice.zip(other) { $0 + $1 }.eraseToAnyPublisher(),
        twice.drop(untilOutputFrom: Just(0)).eraseToAnyPublisher(),
        Just(twice).switchToLatest().eraseToAnyPublisher(),
        Empty().append(twice).eraseToAnyPublisher(),
        twice.merge(with: Empty()).eraseToAnyPublisher(),
      ]
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(3))
      publishers[operation].subscribe(subscriber)
      // What is merged is asked for a value that may wait, too.
      #expect(sent.count == (operation == 4 ? 4 : 3), "operation \(operation)")
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D3: a value within the cancel of the trigger comes behind the trigger`() {
    let values = TestPublisher<Int, Never>()
    let trigger = TestPublisher<Int, Never>(whenCancelled: { _ in values.send(1) })
    let before = TestSubscriber<Int, Never>()
    values.prefix(untilOutputFrom: trigger).subscribe(before)
    trigger.send(0)
    #expect(before.events == [.subscription, .completion(.finished)])
    let behind = TestSubscriber<Int, Never>()
    values.drop(untilOutputFrom: trigger).subscribe(behind)
    trigger.send(0)
    #expect(behind.events == [.subscription, .value(1)])
    behind.cancel()
  }
}

/// A publisher that gives its subscriber the same subscription twice.
private struct ComesTwice: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let upstream: AnyPublisher<Int, Never>

  private struct Repeating<Downstream: Subscriber>: Subscriber
  where Downstream.Input == Int, Downstream.Failure == Never {
    let downstream: Downstream
    let combineIdentifier = CombineIdentifier()

    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
      downstream.receive(subscription: subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input) }

    func receive(completion: Subscribers.Completion<Never>) {
      downstream.receive(completion: completion)
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    upstream.receive(subscriber: Repeating(downstream: subscriber))
  }
}
