import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `Optional.publisher` and `Result.publisher`, beside `Just`, which deliver in the same way.
struct OneResultTests {
  private let ones: [(name: String, publisher: AnyPublisher<Int, Broken>)] = [
    ("Just", Just(1).setFailureType(to: Broken.self).eraseToAnyPublisher()),
    (
      "Optional",
      Optional(1).publisher.setFailureType(to: Broken.self).eraseToAnyPublisher()
    ),
    ("Result", Result<Int, Broken>.success(1).publisher.eraseToAnyPublisher()),
    ("Record", Record<Int, Broken>(output: [1], completion: .finished).eraseToAnyPublisher()),
  ]

  @Test func `the value and the completion, once for each subscriber`() {
    for (name, publisher) in ones {
      for _ in 0..<2 {
        let subscriber = TestSubscriber<Int, Broken>()
        publisher.subscribe(subscriber)
        #expect(
          subscriber.events.map(\.description) == ["subscription", "1", "finished"], "\(name)")
        #expect(subscriber.violations == [], "\(name)")
      }
    }
  }

  @Test func `D8: the value waits for demand, and the completion directly follows it`() {
    for (name, publisher) in ones {
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
      publisher.subscribe(subscriber)
      subscriber.request(.none)
      #expect(subscriber.events.map(\.description) == ["subscription"], "\(name)")
      subscriber.request(.max(1))
      #expect(subscriber.events.map(\.description) == ["subscription", "1", "finished"], "\(name)")
      subscriber.request(.unlimited)
      #expect(subscriber.values == [1], "\(name)")
      #expect(subscriber.violations == [], "\(name)")
    }
  }

  @Test func `D9: nothing and a failure need no demand`() {
    let none = TestSubscriber<Int, Never>(initialDemand: .none)
    Int?.none.publisher.subscribe(none)
    #expect(none.events.map(\.description) == ["subscription", "finished"])
    let failed = TestSubscriber<Int, Broken>(initialDemand: .none)
    Result<Int, Broken>.failure(Broken()).publisher.subscribe(failed)
    #expect(failed.values == [])
    #expect(failed.completion == .failure(Broken()))
    #expect(none.violations + failed.violations == [])
  }

  @Test func `D7: a cancel inside receive keeps the completion from the subscriber`() {
    for (name, publisher) in ones {
      let subscriber = TestSubscriber<Int, Broken>(
        demandFor: { subscriber, _ in
          subscriber.cancel()
          return .max(1)
        })
      publisher.subscribe(subscriber)
      #expect(subscriber.events.map(\.description) == ["subscription", "1"], "\(name)")
      #expect(subscriber.violations == [], "\(name)")
    }
  }

  @Test func `D7: a cancel with the subscription keeps everything from the subscriber`() {
    let publishers =
      ones + [
        (
          "none", Optional<Int>.Publisher(nil).setFailureType(to: Broken.self).eraseToAnyPublisher()
        ),
        ("failure", Result<Int, Broken>.Publisher(Broken()).eraseToAnyPublisher()),
        ("empty", Record<Int, Broken>(output: [], completion: .finished).eraseToAnyPublisher()),
      ]
    for (name, publisher) in publishers {
      let subscriber = TestSubscriber<Int, Broken>(
        initialDemand: .none,
        whenSubscribed: { subscriber in
          subscriber.cancel()
          subscriber.request(.max(1))
        })
      publisher.subscribe(subscriber)
      #expect(subscriber.events.map(\.description) == ["subscription"], "\(name)")
      #expect(subscriber.violations == [], "\(name)")
    }
  }

  @Test func `D1: a request inside receive does not nest`() {
    for (name, publisher) in ones {
      let subscriber = TestSubscriber<Int, Broken>(
        initialDemand: .max(1),
        demandFor: { subscriber, _ in
          subscriber.request(.max(1))
          return .none
        })
      publisher.subscribe(subscriber)
      #expect(subscriber.events.map(\.description) == ["subscription", "1", "finished"], "\(name)")
      #expect(subscriber.violations == [], "\(name)")
    }
  }

  @Test func `O2: a cancel and the completion release the value and the subscriber`() {
    func expectReleased(_ end: (TestSubscriber<Token, Never>) -> Void) {
      weak var token: Token?
      weak var gone: TestSubscriber<Token, Never>?
      var subscription: (any Subscription)?
      do {
        let made = Token()
        token = made
        let subscriber = TestSubscriber<Token, Never>(initialDemand: .none)
        gone = subscriber
        Optional(made).publisher.subscribe(subscriber)
        subscription = subscriber.subscription
        end(subscriber)
      }
      withExtendedLifetime(subscription) {
        #expect(token == nil)
        #expect(gone == nil)
      }
    }
    expectReleased { $0.cancel() }
    expectReleased { $0.request(.max(1)) }
  }

  @Test func `they are made of values, failures and results`() {
    #expect(Result<Int, Broken>.Publisher(1) == Result.success(1).publisher)
    #expect(Result<Int, Broken>.Publisher(Broken()) == Result.failure(Broken()).publisher)
    #expect(Result<Int, Broken>.Publisher(.success(2)).result == .success(2))
    #expect(Optional<Int>.Publisher(1) == Optional(1).publisher)
    #expect(Optional<Int>.Publisher(nil) != Optional(1).publisher)
    #expect(Optional(1).publisher.output == 1)
  }

  @Test func `subscriptions describe themselves as Combine's do`() {
    func description<P: Publisher>(_ publisher: P) -> String {
      let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: .none)
      publisher.receive(subscriber: subscriber)
      defer { subscriber.cancel() }
      return "\(subscriber.subscription ?? Subscriptions.empty)"
    }
    #expect(description(Optional(1).publisher) == "Optional")
    #expect(description(Result<Int, Broken>.success(1).publisher) == "Once")
    #expect(description(Record<Int, Broken>(output: [1], completion: .finished)) == "[1]")
    #expect(description(Int?.none.publisher) == "Empty")
  }

  @Test func `they are Sendable where what they hold is`() {
    func isSendable<Value>(_: Value) -> Bool { false }
    func isSendable<Value: Sendable>(_: Value) -> Bool { true }
    final class Plain {}
    #expect(isSendable(Optional(1).publisher))
    #expect(!isSendable(Optional(Plain()).publisher))
    #expect(isSendable(Result<Int, Broken>.success(1).publisher))
    #expect(!isSendable(Result<Plain, Broken>.success(Plain()).publisher))
    #expect(isSendable(Record<Int, Broken>(output: [], completion: .finished)))
    #expect(!isSendable(Record<Plain, Broken>(output: [], completion: .finished)))
  }
}
