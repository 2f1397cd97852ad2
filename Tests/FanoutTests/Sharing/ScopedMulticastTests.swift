import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ScopedMulticastTests {
  private let upstream = TestPublisher<Int, Broken>()

  /// Uses a publisher twice: odd numbers as they are, even ones with their sign changed.
  private func split<P: Publisher<Int, Broken> & SendableMetatype>(
    _ publisher: P, replay: Replay<Int> = .none
  ) -> AnyPublisher<Int, Broken> {
    publisher.multicast(replay: replay) { numbers in
      numbers.filter { $0 % 2 != 0 }.merge(with: numbers.filter { $0 % 2 == 0 }.map { -$0 })
    }.eraseToAnyPublisher()
  }

  @Test func `D12, D14: an upstream that sends at once is subscribed to once, and loses nothing`() {
    let subscriptions = Notes<Void>()
    let numbers = Deferred { () -> Publishers.Sequence<ClosedRange<Int>, Broken> in
      subscriptions.append(())
      return Publishers.Sequence(sequence: 1...6)
    }
    let subscriber = TestSubscriber<Int, Broken>()
    split(numbers).subscribe(subscriber)
    #expect(subscriber.values == [1, -2, 3, -4, 5, -6])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    #expect(subscriptions.all.count == 1)
  }

  @Test func `the closure runs once for each subscriber, and two of them have nothing in common`() {
    let calls = Notes<Void>()
    let doubled = upstream.multicast(replay: .none) { numbers in
      calls.append(())
      return numbers.merge(with: numbers)
    }
    #expect(calls.all.isEmpty)
    let first = TestSubscriber<Int, Broken>()
    let second = TestSubscriber<Int, Broken>()
    doubled.subscribe(first)
    upstream.send(1)
    doubled.subscribe(second)
    #expect(calls.all.count == 2)
    #expect(upstream.subscriptionCount == 2)
    upstream.send(2)
    first.cancel()
    #expect(upstream.cancelCount == 1)
    upstream.send(3)
    #expect(first.values == [1, 1, 2, 2])
    #expect(second.values == [2, 2, 3, 3])
    second.cancel()
    #expect(upstream.cancelCount == 2)
  }

  @Test func `D17: without replay the upstream is asked when the subscriber has asked`() {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    upstream.multicast(replay: .none) { $0.map { $0 } }.subscribe(subscriber)
    #expect(upstream.subscriptionCount == 1)
    #expect(upstream.requests == [])
    subscriber.request(.max(1))
    #expect(upstream.requests == [.unlimited])
    subscriber.cancel()
  }

  @Test(arguments: [Replay<Int>.all, .last(1), .sinceKeyframe { $0 % 3 == 0 }])
  func `D8: it delivers what is asked for, and with a replay nothing is lost`(replay: Replay<Int>) {
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(2))
    split(Publishers.Sequence(sequence: 1...8), replay: replay).subscribe(subscriber)
    for count in 2...8 {
      #expect(subscriber.values.count == count)
      subscriber.request(.max(1))
    }
    #expect(Set(subscriber.values) == [1, -2, 3, -4, 5, -6, 7, -8])
    #expect(subscriber.values.filter { $0 > 0 } == [1, 3, 5, 7])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel before, in and after the values cancels the upstream once`() {
    let before = TestSubscriber<Int, Broken>(whenSubscribed: { $0.cancel() })
    split(upstream).subscribe(before)
    #expect(before.events == [.subscription])
    // Nothing was connected: the subscriber had left already.
    #expect(upstream.subscriptionCount == 0)

    let within = TestSubscriber<Int, Broken>(
      demandFor: { subscriber, number in
        if number == 3 { subscriber.cancel() }
        return .none
      })
    split(upstream).subscribe(within)
    (1...4).forEach(upstream.send)
    #expect(within.values == [1, -2, 3])
    #expect(upstream.cancelCount == 1)

    let after = TestSubscriber<Int, Broken>()
    split(upstream).subscribe(after)
    upstream.send(1)
    after.cancel()
    after.cancel()
    upstream.send(2)
    #expect(after.values == [1])
    #expect(upstream.cancelCount == 2)
    for subscriber in [before, within, after] { #expect(subscriber.violations == []) }
  }

  @Test func `an early end of the pipeline cancels the upstream`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.multicast(replay: .none) { numbers in
      numbers.merge(with: numbers.map { -$0 }).prefix(1)
    }.subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(upstream.cancelCount == 1)
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `an early end stops an upstream without an end while the connection starts`() {
    let sent = Notes<Int>()
    let endless = TestPublisher<Int, Broken>(whenAsked: { subscription, _ in
      // Bounded, so that a test that fails ends.
      for number in 0..<1000 where subscription.cancelCount == 0 {
        sent.append(number)
        subscription.send(number)
      }
    })
    let subscriber = TestSubscriber<Int, Broken>()
    endless.multicast(replay: .none) { numbers in
      numbers.filter { $0 > 3 }.prefix(2)
    }.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(4), .value(5), .completion(.finished)])
    #expect(sent.all == Array(0...5))
    #expect(endless.cancelCount == 1)
  }

  @Test func `a pipeline that ends without the shared publisher connects nothing`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.multicast(replay: .all) { _ in Empty<Int, Broken>() }.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
    #expect(upstream.subscriptionCount == 0)
  }

  @Test func `Q1: a failure of the upstream or of a part is that of the pipeline`() {
    let subscriber = TestSubscriber<Int, Broken>()
    split(upstream).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.values == [1])
    #expect(subscriber.completion == .failure(Broken()))
    #expect(upstream.cancelCount == 0)

    let other = TestSubscriber<Int, any Error>()
    let fallible = upstream.mapError { $0 as any Error }
    fallible.multicast(replay: .none) { numbers in
      numbers.merge(
        with: numbers.tryMap { number in
          if number == 3 { throw Broken() }
          return -number
        })
    }.subscribe(other)
    (2...4).forEach(upstream.send)
    #expect(other.values == [2, -2, 3])
    #expect(upstream.cancelCount == 1)
  }

  @Test func `D6: a part that subscribes late gets the replay`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.multicast(replay: .all) { numbers in
      // The second part comes with the first value.
      numbers.prefix(1).flatMap { _ in numbers.map { $0 * 10 } }
    }.subscribe(subscriber)
    (1...3).forEach(upstream.send)
    #expect(subscriber.values == [10, 20, 30])
    upstream.send(completion: .finished)
    #expect(subscriber.completion == .finished)
  }

  @Test func `D3: who sends and subscribes inside receive gets all of it in order`() {
    let source = PassthroughSubject<Int, Never>()
    let pairs = source.multicast(replay: .none) { $0.merge(with: $0.map { -$0 }) }
    let second = TestSubscriber<Int, Never>()
    let first = TestSubscriber<Int, Never>(
      demandFor: { _, number in
        if number == 1 {
          pairs.subscribe(second)
          source.send(2)
        }
        return .none
      })
    pairs.subscribe(first)
    source.send(1)
    #expect(first.values == [1, -1, 2, -2])
    #expect(second.values == [2, -2])
    #expect(first.violations + second.violations == [])
    first.cancel()
    second.cancel()
  }

  @Test func `scopes nest deeply`() {
    func nested(_ depth: Int) -> AnyPublisher<Int, Broken> {
      guard depth > 0 else { return upstream.eraseToAnyPublisher() }
      return nested(depth - 1).multicast(replay: .none) { $0.map { $0 + 1 } }.eraseToAnyPublisher()
    }
    let subscriber = TestSubscriber<Int, Broken>()
    nested(100).subscribe(subscriber)
    upstream.send(0)
    #expect(subscriber.values == [100])
    subscriber.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `a scope within a scope uses both`() {
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.multicast(replay: .none) { outer in
      outer.map { $0 * 10 }.multicast(replay: .none) {
        $0.merge(with: $0.map { -$0 }).merge(with: outer)
      }
    }.subscribe(subscriber)
    upstream.send(1)
    // The part that is subscribed to first is the outer one, before the inner scope connects.
    #expect(subscriber.values == [1, 10, -10])
    upstream.send(completion: .finished)
    #expect(subscriber.completion == .finished)
  }
}

extension ScopedMulticastTests {
  @Test func `O2, O4: a subscription keeps its pipeline, and a cancel or the end releases it`() {
    for ends in [false, true] {
      var held: (subject: PassthroughSubject<Int, Never>, token: Token)? = (.init(), Token())
      let source = WeakReference(held?.subject)
      let token = WeakReference(held?.token)
      let shared = Notes<WeakReference>()
      let subscriber = TestSubscriber<Int, Never>()
      if let (subject, token) = held {
        subject.multicast(replay: .all) { numbers in
          shared.append(WeakReference(numbers))
          return numbers.merge(with: numbers).map { [token] number in
            withExtendedLifetime(token) { number }
          }
        }.subscribe(subscriber)
      }
      held?.subject.send(1)
      #expect(shared.all.map(\.isAlive) == [true])
      #expect(token.isAlive)
      if ends { held?.subject.send(completion: .finished) } else { subscriber.cancel() }
      #expect(shared.all.map(\.isAlive) == [false])
      held = nil
      #expect(!source.isAlive)
      #expect(!token.isAlive)
      #expect(subscriber.values == [1, 1])
    }
  }

  @Test func `O1: nothing leaks, however it ends`() {
    expectReleased(after: .cancel) { scope in
      let source = scope.hold(PassthroughSubject<Int, Never>())
      let token = scope.track(Token(), "captured")
      return source.multicast(replay: .last(2)) { $0.merge(with: $0) }
        .sink { _ in withExtendedLifetime(token) {} }
    }
    expectReleased(after: .completion) { scope in
      let source = PassthroughSubject<Int, Never>()
      let token = scope.track(Token(), "captured")
      scope.hold(
        source.multicast(replay: .last(2)) { $0.merge(with: $0) }
          .sink { _ in withExtendedLifetime(token) {} })
      return source
    }
  }

  @Test func `D7, L1: a cancel on another thread beside values and the end`() {
    for _ in 0..<200 {
      let source = PassthroughSubject<Int, Broken>()
      let subscriber = TestSubscriber<Int, Broken>()
      split(source).subscribe(subscriber)
      together([
        {
          for number in 1...20 { source.send(number) }
          source.send(completion: .finished)
        },
        { subscriber.cancel() },
      ])
      let expected = (1...20).map { $0 % 2 == 0 ? -$0 : $0 }
      #expect(expected.starts(with: subscriber.values))
      #expect(subscriber.violations == [])
    }
  }
}
