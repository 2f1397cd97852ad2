import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct OperatorTests {
  /// Returns all events of a publisher at unlimited demand, in words.
  private func all<P: Publisher>(_ publisher: P) -> [String] {
    let events = Notes<String>()
    let sink = Subscribers.Sink<P.Output, P.Failure>(
      receiveCompletion: { events.append("\($0)") }, receiveValue: { events.append("\($0)") })
    publisher.subscribe(sink)
    return events.all
  }

  @Test func `map delivers what its closure makes`() {
    #expect(
      all((1...3).publisher.unspecialized.map { "<\($0)>" }) == ["<1>", "<2>", "<3>", "finished"])
  }

  @Test func `scan starts anew for each subscriber`() {
    let sums = (1...4).publisher.unspecialized.scan(10, +)
    #expect(all(sums) == ["11", "13", "16", "20", "finished"])
    #expect(all(sums) == ["11", "13", "16", "20", "finished"])
  }

  @Test func `filter delivers what its closure lets pass`() {
    #expect(
      all((1...6).publisher.unspecialized.filter { $0 % 2 == 0 }) == ["2", "4", "6", "finished"])
    #expect(all((1...3).publisher.unspecialized.filter { _ in false }) == ["finished"])
  }

  @Test func `prefix delivers the first values and ends with the last of them`() {
    #expect(all((1...9).publisher.unspecialized.prefix(2)) == ["1", "2", "finished"])
    #expect(all((1...2).publisher.unspecialized.prefix(9)) == ["1", "2", "finished"])
    #expect(all((1...2).publisher.unspecialized.prefix(2)) == ["1", "2", "finished"])
  }

  @Test func `prefix of nothing finishes at once, and asks and cancels nothing`() {
    let upstream = TestPublisher<Int, Never>()
    #expect(all(upstream.prefix(0)) == ["finished"])
    #expect(upstream.requests == [])
  }

  @Test func `Output delivers a range of positions`() {
    #expect(
      all(Publishers.Output(upstream: (1...9).publisher, range: 2..<5))
        == ["3", "4", "5", "finished"])
  }

  @Test func `first delivers one value and asks for everything to get it`() {
    #expect(all((7...9).publisher.unspecialized.first()) == ["7", "finished"])
    #expect(all(Empty<Int, Never>().first()) == ["finished"])
    #expect(all(Just<Int?>(nil).unspecialized.first()) == ["nil", "finished"])
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    upstream.first().subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription])
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
  }

  @Test(arguments: OperatorSample.all.filter { !$0.replacesFailure })
  func `a failure passes through every operator`(sample: OperatorSample) {
    let fail = Fail<Int, Broken>(error: Broken())
    #expect(all(sample.apply(to: fail)) == ["failure(TestFixtures.Broken())"])
  }

  @Test func `what comes after the end is ignored by those that end early`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let prefix = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>()
    let filter = TestSubscriber<Int, Broken>()
    upstream.prefix(1).subscribe(prefix)
    upstream.first().subscribe(first)
    upstream.filter { _ in true }.subscribe(filter)
    upstream.send(1)
    filter.cancel()
    upstream.send(2)
    upstream.send(completion: .failure(Broken()))
    for subscriber in [prefix, first] {
      #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
      #expect(subscriber.violations == [])
    }
    #expect(filter.events == [.subscription, .value(1)])
  }

  @Test func `those with a subscription of their own cancel a second one`() {
    let upstream = TestPublisher<Int, Never>()
    let other = TestPublisher<Int, Never>()
    let received = Notes<Int>()
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { received.append($0) })
    SubscribesTwice(upstream, other).filter { _ in true }.subscribe(sink)
    #expect(upstream.cancelCount == 0)
    #expect(other.cancelCount == 1)
    upstream.send(1)
    other.send(2)
    #expect(received.all == [1])
    sink.cancel()
  }

  private func description<P: Publisher>(_ publisher: P) -> String {
    let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: .none)
    publisher.receive(subscriber: subscriber)
    defer { subscriber.cancel() }
    return "\(subscriber.subscription ?? Subscriptions.empty)"
  }

  @Test(arguments: OperatorSample.all)
  func `subscriptions describe themselves as Combine's do`(sample: OperatorSample) {
    #expect(description(sample.apply(to: TestPublisher<Int, Broken>())) == sample.shown)
  }

  @Test func `subscriptions of other publishers describe themselves`() {
    let upstream = TestPublisher<Int, Never>()
    #expect(description(upstream.setFailureType(to: Broken.self)) == "TestSubscription")
    #expect(description(upstream.ignoreOutput()) == "IgnoreOutput")
    #expect(description(Future<Int, Never> { _ in }) == "Future")
  }
}
