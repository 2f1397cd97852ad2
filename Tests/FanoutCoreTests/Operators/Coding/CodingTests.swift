import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CodingTests {
  /// A coder of numbers and texts, an object of the user's, used by one thread.
  private final class NumberCoder: TopLevelDecoder, TopLevelEncoder, Sendable {
    func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
      guard let number = Int(text) as? T else { throw Broken() }
      return number
    }

    func encode<T: Encodable>(_ value: T) throws -> String {
      if value as? Int == 6 { throw Broken() }
      return "\(value)"
    }
  }

  @Test func `D8: each value is decoded, and demand passes through`() {
    let upstream = TestPublisher<String, Broken>()
    let subscriber = TestSubscriber<Int, any Error>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.decode(type: Int.self, decoder: NumberCoder()).subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send("12") == .max(2))
    #expect(subscriber.values == [12])
    upstream.send(completion: .finished)
    #expect(subscriber.completion != nil)
    #expect(subscriber.violations == [])
  }

  @Test func `D9: what the decoder throws is the end, and cancels the upstream`() {
    let upstream = TestPublisher<String, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, any Error>()
    upstream.decode(type: Int.self, decoder: NumberCoder()).subscribe(subscriber)
    for text in ["1", "x", "2"] { upstream.send(text) }
    upstream.send(completion: .finished)
    #expect(subscriber.values == [1])
    #expect(upstream.cancelCount == 1)
    guard case .failure(let error) = subscriber.completion else {
      Issue.record("no failure")
      return
    }
    #expect(error is Broken)
    #expect(subscriber.violations == [])
  }

  @Test func `D9: what the encoder throws is the end, and cancels the upstream`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<String, any Error>(initialDemand: .max(9))
    upstream.encode(encoder: NumberCoder()).subscribe(subscriber)
    #expect(upstream.requests == [.max(9)])
    for number in [5, 6, 7] { upstream.send(number) }
    #expect(subscriber.values == ["5"])
    #expect(upstream.cancelCount == 1)
    guard case .failure(let error) = subscriber.completion else {
      Issue.record("no failure")
      return
    }
    #expect(error is Broken)
  }

  @Test func `the upstream's failure passes through`() {
    let texts = Fail<String, Broken>(error: Broken()).decode(type: Int.self, decoder: NumberCoder())
    let numbers = Fail<Int, Broken>(error: Broken()).encode(encoder: NumberCoder())
    let ends = Notes<String>()
    texts.sink(receiveCompletion: { ends.append("\($0)") }, receiveValue: { _ in }).cancel()
    numbers.sink(receiveCompletion: { ends.append("\($0)") }, receiveValue: { _ in }).cancel()
    #expect(ends.all == Array(repeating: "failure(TestFixtures.Broken())", count: 2))
  }

  @Test func `O2: a cancel and the end let go of the coder`() {
    for isCancelled in [true, false] {
      let tracker = LifetimeTracker()
      let upstream = TestPublisher<String, Broken>()
      let subscriber = TestSubscriber<Int, any Error>()
      do {
        let coder = tracker.track(NumberCoder(), "coder")
        upstream.decode(type: Int.self, decoder: coder).subscribe(subscriber)
      }
      #expect(tracker.survivors().map(\.name) == ["coder"])
      if isCancelled { subscriber.cancel() } else { upstream.send(completion: .finished) }
      #expect(tracker.survivors() == [])
    }
  }
}
