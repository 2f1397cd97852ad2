import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ReplaceNilTests {
  @Test func `replaces nil, and unwraps the other values`() {
    let subscriber = TestSubscriber<Int, Never>()
    [1, nil, 3, nil].publisher.unspecialized.replaceNil(with: 9).subscribe(subscriber)
    #expect(subscriber.values == [1, 9, 3, 9])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `replaces only the outer nil`() {
    let nested: [Int??] = [1, .some(nil), nil]
    let subscriber = TestSubscriber<Int?, Never>()
    nested.publisher.unspecialized.replaceNil(with: 9).subscribe(subscriber)
    #expect(subscriber.values == [1, nil, 9])
  }

  @Test func `a value that is not Sendable can replace nil`() {
    final class Reading {
      let number = 7
    }
    let subscriber = TestSubscriber<Int, Never>()
    // In Swift 6 mode the operator warns of it.
    Publishers.ReplaceNil(upstream: Just<Reading?>(nil).unspecialized, output: Reading())
      .map { $0.number }.subscribe(subscriber)
    #expect(subscriber.values == [7])
  }

  @Test func `D8: demand passes through, for nil as for every value`() {
    let upstream = TestPublisher<Int?, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.replaceNil(with: 9).subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send(nil) == .max(2))
    #expect(upstream.subscriptions[0].send(1) == .max(2))
    #expect(subscriber.values == [9, 1])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    #expect(upstream.subscriptions[0].send(nil) == .none)
    #expect(subscriber.values == [9, 1])
  }

  @Test func `O2: the value that replaces nil is released at cancel`() {
    let subject = PassthroughSubject<Token?, Never>()
    let gone = Notes<Int>()
    let sink = subject.replaceNil(with: Token(7) { gone.append(7) }).sink { _ in }
    subject.send(nil)
    #expect(gone.all == [])
    sink.cancel()
    #expect(gone.all == [7])
  }
}
