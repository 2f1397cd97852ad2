import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// How operators that select or reduce values end, and what they release.
struct SelectingEndTests {
  private typealias Make = @Sendable (TestPublisher<Int, Broken>) -> AnyPublisher<Int, any Error>

  /// Operators that end before their upstream at a value of 5.
  private static let early: [(String, Make)] = [
    ("first(where:)", { $0.first { $0 == 5 }.mapError { $0 }.eraseToAnyPublisher() }),
    ("tryFirst(where:)", { $0.tryFirst { $0 == 5 }.eraseToAnyPublisher() }),
    ("prefix(while:)", { $0.prefix { $0 != 5 }.mapError { $0 }.eraseToAnyPublisher() }),
    ("tryPrefix(while:)", { $0.tryPrefix { $0 != 5 }.eraseToAnyPublisher() }),
    ("contains", { $0.contains(5).map { _ in 5 }.mapError { $0 }.eraseToAnyPublisher() }),
    (
      "allSatisfy",
      { $0.allSatisfy { $0 != 5 }.map { _ in 5 }.mapError { $0 }.eraseToAnyPublisher() }
    ),
    (
      "tryReduce",
      { $0.tryReduce(0) { if $1 == 5 { throw Broken() } else { $0 + $1 } }.eraseToAnyPublisher() }
    ),
  ]

  @Test(arguments: early.indices)
  func `D9 O2: an early end cancels the upstream, and later values are ignored`(index: Int) {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, any Error>()
    Self.early[index].1(upstream).subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.completion == nil)
    #expect(!upstream.subscriptions[0].isCancelled)
    upstream.send(5)
    #expect(upstream.subscriptions[0].isCancelled)
    #expect(subscriber.completion != nil)
    let count = subscriber.events.count
    upstream.send(5)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.events.count == count)
    #expect(subscriber.violations == [])
  }

  @Test func `D9: a failure of the upstream passes at once, without a result`() {
    let upstream = TestPublisher<Int, Broken>()
    let reduced = TestSubscriber<Int, Broken>(initialDemand: .none)
    let thrown = TestSubscriber<Int, any Error>(initialDemand: .none)
    upstream.reduce(0) { $0 + $1 }.subscribe(reduced)
    upstream.tryReduce(0) { $0 + $1 }.subscribe(thrown)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(reduced.events == [.subscription, .completion(.failure(Broken()))])
    #expect(thrown.values == [])
    guard case .failure(let error) = thrown.completion else {
      Issue.record("no failure")
      return
    }
    #expect(error is Broken)
  }

  @Test func `D7: a closure that cancels is the last that runs`() {
    let upstream = TestPublisher<Int, Never>()
    let calls = Shared(0)
    let slot = Notes<AnyCancellable>()
    let received = Shared(0)
    slot.append(
      upstream.tryFirst { number in
        calls.increment()
        slot.all.first?.cancel()
        return number == 1
      }.sink(
        receiveCompletion: { _ in received.increment() },
        receiveValue: { _ in received.increment() }))
    upstream.send(1)
    upstream.send(1)
    #expect(calls.value == 1)
    #expect(received.value == 0)
  }

  @Test func `O2: the last value and the greatest are released at the end and at a cancel`() {
    for isCancelled in [true, false] {
      let gone = Shared(0)
      let upstream = TestPublisher<Token, Never>()
      let last = TestSubscriber<Token, Never>(initialDemand: .none)
      let sum = TestSubscriber<Token, Never>(initialDemand: .none)
      upstream.last().subscribe(last)
      upstream.max { _, _ in true }.subscribe(sum)
      for _ in 0..<3 { upstream.send(Token { gone.increment() }) }
      #expect(gone.value == 2)
      if !isCancelled { upstream.send(completion: .finished) }
      last.cancel()
      sum.cancel()
      #expect(gone.value == 3)
    }
  }

  @Test func `D8: the end and requests that race deliver the result once`() {
    for _ in 0..<500 {
      let upstream = TestPublisher<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      upstream.reduce(0) { $0 + $1 }.subscribe(subscriber)
      upstream.send(4)
      let isOver = race(
        { upstream.send(completion: .finished) }, { subscriber.request(.max(1)) },
        { subscriber.request(.max(1)) })
      #expect(isOver)
      #expect(subscriber.events == [.subscription, .value(4), .completion(.finished)])
    }
  }
}
