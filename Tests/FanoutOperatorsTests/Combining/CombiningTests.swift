import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that combine the values of publishers of different types: orders, demand and ends.
@Suite(.noLeaks) struct CombiningTests {
  private typealias Source = TestPublisher<Int, Broken>

  private func subscriber(
    _ demand: Subscribers.Demand = .unlimited
  ) -> TestSubscriber<[Int], Broken> {
    TestSubscriber(initialDemand: demand)
  }

  /// Combines two to four publishers into one of arrays.
  private func latest(_ sources: [Source]) -> AnyPublisher<[Int], Broken> {
    let (a, b) = (sources[0], sources[1])
    switch sources.count {
    case 2: return a.combineLatest(b) { [$0, $1] }.eraseToAnyPublisher()
    case 3: return a.combineLatest(b, sources[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
    default:
      return a.combineLatest(b, sources[2], sources[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    }
  }

  private func zipped(_ sources: [Source]) -> AnyPublisher<[Int], Broken> {
    let (a, b) = (sources[0], sources[1])
    switch sources.count {
    case 2: return a.zip(b) { [$0, $1] }.eraseToAnyPublisher()
    case 3: return a.zip(b, sources[2]) { [$0, $1, $2] }.eraseToAnyPublisher()
    default: return a.zip(b, sources[2], sources[3]) { [$0, $1, $2, $3] }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: 2...4)
  func `combineLatest: every value makes an output, once all have one`(count: Int) {
    let sources = (0..<count).map { _ in Source() }
    let subscriber = subscriber()
    latest(sources).subscribe(subscriber)
    var generator = SeededChance(seed: UInt64(count))
    var newest: [Int?] = Array(repeating: nil, count: count)
    var expected: [[Int]] = []
    for value in 0..<200 {
      let index = Int(generator.next() % UInt64(count))
      newest[index] = value
      sources[index].send(value)
      let whole = newest.compactMap { $0 }
      if whole.count == count { expected.append(whole) }
    }
    #expect(subscriber.values == expected)
    #expect(sources.allSatisfy { $0.requests == [.unlimited] })
    for source in sources.dropLast() { source.send(completion: .finished) }
    #expect(subscriber.completion == nil)
    sources[count - 1].send(1_000)
    #expect(subscriber.values.last?.last == 1_000)
    sources[count - 1].send(completion: .finished)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: 2...4)
  func `zip: every value waits for its counterparts`(count: Int) {
    let sources = (0..<count).map { _ in Source() }
    let subscriber = subscriber()
    zipped(sources).subscribe(subscriber)
    var generator = SeededChance(seed: UInt64(count))
    var sent: [[Int]] = Array(repeating: [], count: count)
    for value in 0..<200 {
      let index = Int(generator.next() % UInt64(count))
      sent[index].append(value)
      sources[index].send(value)
      let pairs = sent.map(\.count).min() ?? 0
      #expect(subscriber.values == (0..<pairs).map { place in sent.map { $0[place] } })
    }
    // The one that is furthest behind ends everything.
    let last = sent.indices.min { sent[$0].count < sent[$1].count } ?? 0
    sources[last].send(completion: .finished)
    #expect(subscriber.completion == .finished)
    for index in sent.indices where index != last { #expect(sources[index].cancelCount == 1) }
    #expect(subscriber.violations == [])
  }

  @Test func `zip: one that has finished first is delivered to its end`() {
    let (a, b) = (Source(), Source())
    let subscriber = subscriber()
    a.zip(b) { [$0, $1] }.subscribe(subscriber)
    a.send(1)
    a.send(2)
    a.send(completion: .finished)
    #expect(subscriber.completion == nil)
    b.send(1)
    #expect(subscriber.completion == nil)
    b.send(2)
    #expect(
      subscriber.events == [
        .subscription, .value([1, 1]), .value([2, 2]), .completion(.finished),
      ])
    #expect(b.cancelCount == 1)
  }

  @Test(arguments: [true, false])
  func `D8: each is asked for what the subscriber asks for`(isZip: Bool) {
    let sources = (0..<3).map { _ in Source() }
    let subscriber = TestSubscriber<[Int], Broken>(initialDemand: .none) { _, value in
      value[0] == 1 ? .max(3) : .none
    }
    (isZip ? zipped(sources) : latest(sources)).subscribe(subscriber)
    #expect(sources.allSatisfy { $0.requests == [] })
    subscriber.request(.max(2))
    #expect(sources.allSatisfy { $0.requests == [.max(2)] })
    for source in sources { source.send(1) }
    #expect(subscriber.values == [[1, 1, 1]])
    #expect(sources.allSatisfy { $0.requests == [.max(2), .max(3)] })
    subscriber.request(.unlimited)
    #expect(sources.allSatisfy { $0.requests == [.max(2), .max(3), .unlimited] })
    subscriber.cancel()
    #expect(sources.allSatisfy { $0.cancelCount == 1 })
    #expect(subscriber.violations == [])
  }

  @Test func `D8 D9: combineLatest keeps the newest output until it is requested`() {
    let (a, b) = (Source(), Source())
    let subscriber = subscriber(.max(1))
    a.combineLatest(b) { [$0, $1] }.subscribe(subscriber)
    a.send(1)
    b.send(1)
    a.send(2)
    b.send(2)
    b.send(3)
    #expect(subscriber.values == [[1, 1]])
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(
      subscriber.events == [
        .subscription, .value([1, 1]), .value([2, 3]), .completion(.finished),
      ])
  }

  @Test(arguments: [true, false])
  func `D9: a failure cancels the others, and comes behind what waits`(isZip: Bool) {
    let sources = (0..<2).map { _ in Source() }
    let subscriber = subscriber(.none)
    (isZip ? zipped(sources) : latest(sources)).subscribe(subscriber)
    sources[0].send(1)
    sources[1].send(1)
    sources[1].send(completion: .failure(Broken()))
    #expect(sources[0].cancelCount == 1)
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(
      subscriber.events == [
        .subscription, .value([1, 1]), .completion(.failure(Broken())),
      ])
  }

  @Test(arguments: [true, false])
  func `D9: a failure without a whole output comes at once`(isZip: Bool) {
    let sources = (0..<2).map { _ in Source() }
    let subscriber = subscriber(.none)
    (isZip ? zipped(sources) : latest(sources)).subscribe(subscriber)
    sources[0].send(1)
    sources[1].send(completion: .failure(Broken()))
    #expect(subscriber.completion == .failure(Broken()))
  }

  @Test(arguments: [true, false])
  func `D3 D1: a send inside a subscriber waits its turn`(isZip: Bool) {
    let sources = (0..<2).map { _ in Source() }
    let subscriber = TestSubscriber<[Int], Broken> { _, value in
      if value[0] < 4 {
        sources[0].send(value[0] + 1)
        sources[1].send(value[0] + 1)
      }
      return .none
    }
    (isZip ? zipped(sources) : latest(sources)).subscribe(subscriber)
    sources[0].send(1)
    sources[1].send(1)
    if isZip {
      #expect(subscriber.values == [[1, 1], [2, 2], [3, 3], [4, 4]])
    } else {
      #expect(subscriber.values.prefix(3) == [[1, 1], [2, 1], [2, 2]])
      #expect(subscriber.values.last?[0] == 4)
    }
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: [true, false])
  func `D7: nothing comes after a cancel inside a subscriber`(isZip: Bool) {
    let sources = (0..<2).map { _ in Source() }
    let subscriber = TestSubscriber<[Int], Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    (isZip ? zipped(sources) : latest(sources)).subscribe(subscriber)
    for value in 1...2 { for source in sources { source.send(value) } }
    #expect(subscriber.events == [.subscription, .value([1, 1])])
    #expect(sources.allSatisfy { $0.cancelCount == 1 })
  }

  @Test func `synchronous publishers: zip pairs all, combineLatest takes the last of the first`() {
    let zipped = TestSubscriber<[Int], Never>()
    (1...3).publisher.zip((11...14).publisher) { [$0, $1] }.subscribe(zipped)
    #expect(zipped.values == [[1, 11], [2, 12], [3, 13]])
    #expect(zipped.completion == .finished)
    let latest = TestSubscriber<[Int], Never>()
    (1...3).publisher.combineLatest((11...13).publisher) { [$0, $1] }.subscribe(latest)
    #expect(latest.values == [[3, 11], [3, 12], [3, 13]])
    #expect(latest.completion == .finished)
  }

  @Test func `D15: a hundred thousand pairs, each requested within the one before`() {
    let subscriber = TestSubscriber<[Int], Never>(initialDemand: .max(1)) { _, _ in .max(1) }
    (1...100_000).publisher.zip((1...100_000).publisher) { [$0, $1] }.subscribe(subscriber)
    #expect(subscriber.values.count == 100_000)
    #expect(subscriber.values.last == [100_000, 100_000])
    #expect(subscriber.completion == .finished)
  }

  @Test func `withLatestFrom: a value with the newest of the other, and none before it`() {
    let (a, b) = (Source(), Source())
    let subscriber = subscriber(.max(2))
    a.withLatestFrom(b) { [$0, $1] }.subscribe(subscriber)
    #expect(a.requests == [.max(2)])
    #expect(b.requests == [.unlimited])
    a.send(1)
    #expect(a.requests == [.max(2), .max(1)])
    b.send(10)
    b.send(11)
    a.send(2)
    b.send(completion: .finished)
    a.send(3)
    a.send(completion: .finished)
    #expect(
      subscriber.events == [
        .subscription, .value([2, 11]), .value([3, 11]), .completion(.finished),
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `withLatestFrom: the end of the upstream cancels the other, and each may fail`() {
    let (a, b) = (Source(), Source())
    let subscriber = subscriber()
    a.withLatestFrom(b) { [$0, $1] }.subscribe(subscriber)
    a.send(completion: .finished)
    #expect(subscriber.completion == .finished)
    #expect(b.cancelCount == 1)
    let other = self.subscriber()
    a.withLatestFrom(b) { [$0, $1] }.subscribe(other)
    b.send(completion: .failure(Broken()))
    #expect(other.completion == .failure(Broken()))
  }

  @Test func `prefix(untilOutputFrom:): a value of the other ends, its end does not`() {
    let (a, stop) = (Source(), TestPublisher<String, NumberedError>())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(5))
    a.prefix(untilOutputFrom: stop).subscribe(subscriber)
    #expect(a.requests == [.max(5)])
    #expect(stop.requests == [.max(1)])
    a.send(1)
    stop.send("now")
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(a.cancelCount == 1)
    let other = TestSubscriber<Int, Broken>()
    a.prefix(untilOutputFrom: stop).subscribe(other)
    stop.send(completion: .failure(NumberedError(1)))
    a.send(2)
    a.send(completion: .finished)
    #expect(other.events == [.subscription, .value(2), .completion(.finished)])
  }

  @Test func `drop(untilOutputFrom:): values come after the other's, in place of those left out`() {
    let (a, start) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    a.drop(untilOutputFrom: start).subscribe(subscriber)
    #expect(start.requests == [.max(1)])
    a.send(1)
    #expect(a.requests == [.max(1), .max(1)])
    start.send(0)
    #expect(start.cancelCount == 1)
    a.send(2)
    a.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(2), .completion(.finished)])
    let other = TestSubscriber<Int, Broken>()
    a.drop(untilOutputFrom: start).subscribe(other)
    start.send(completion: .finished)
    #expect(other.events == [.subscription, .completion(.finished)])
    #expect(a.cancelCount == 1)
  }
}
