import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.noLeaks) struct MergeTests {
  private typealias Source = TestPublisher<Int, Broken>

  /// Two publishers, merged as two types or as one.
  private func subscribe(
    _ a: Source, _ b: Source, asMany: Bool, _ subscriber: TestSubscriber<Int, Broken>
  ) {
    if asMany {
      a.merge(with: b).subscribe(subscriber)
    } else {
      a.merge(with: b.map { $0 }).subscribe(subscriber)
    }
  }

  @Test(arguments: [true, false])
  func `D8: each is asked for one at a time, and for the next when that is delivered`(asMany: Bool)
  {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    subscribe(a, b, asMany: asMany, subscriber)
    #expect(a.requests + b.requests == [.max(1), .max(1)])
    a.send(1)
    b.send(2)
    #expect(subscriber.values == [])
    subscriber.request(.max(1))
    #expect(subscriber.values == [1])
    #expect(a.requests == [.max(1), .max(1)])
    #expect(b.requests == [.max(1)])
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2])
    #expect(a.requests.last == .unlimited)
    #expect(b.requests.last == .unlimited)
    #expect(subscriber.violations == [])
    subscriber.cancel()
    #expect(a.cancelCount + b.cancelCount == 2)
  }

  @Test(arguments: [true, false])
  func `D9: it finishes when all have`(asMany: Bool) {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>()
    subscribe(a, b, asMany: asMany, subscriber)
    #expect(a.requests + b.requests == [.unlimited, .unlimited])
    a.send(completion: .finished)
    b.send(1)
    #expect(subscriber.completion == nil)
    b.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(subscriber.violations == [])
  }

  @Test(arguments: [true, false])
  func `D9: a failure cancels the other, and comes behind what waits`(asMany: Bool) {
    let (a, b) = (Source(), Source())
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    subscribe(a, b, asMany: asMany, subscriber)
    a.send(1)
    b.send(completion: .failure(Broken()))
    #expect(a.cancelCount == 1)
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription, .value(1), .completion(.failure(Broken()))])
  }

  @Test func `one that fails at once keeps the next from being subscribed to`() {
    let other = Source()
    let subscriber = TestSubscriber<Int, Broken>()
    Fail<Int, Broken>(error: Broken()).merge(with: other).subscribe(subscriber)
    #expect(other.subscriptionCount == 0)
    #expect(subscriber.events == [.subscription, .completion(.failure(Broken()))])
  }

  @Test func `D7: one that is cancelled within the first subscribes to no other`() {
    let other = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    (1...3).publisher.merge(with: other).subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1)])
    #expect(other.subscriptionCount == 0)
    #expect(subscriber.violations == [])
  }

  @Test func `many: from a list, a sequence, with one more, or none`() {
    let notes = Notes<Int>()
    func all(_ merged: Publishers.MergeMany<Just<Int>>) -> [Int] {
      let before = notes.count
      let isFinished = Shared(false)
      let sink = merged.sink(
        receiveCompletion: { _ in isFinished.value = true }, receiveValue: { notes.append($0) })
      sink.cancel()
      #expect(isFinished.value)
      return Array(notes.all.dropFirst(before))
    }
    #expect(all(Publishers.MergeMany(Just(1), Just(2))) == [1, 2])
    #expect(all(Publishers.MergeMany((1...3).map { Just($0) })) == [1, 2, 3])
    #expect(all(Just(1).merge(with: Just(2)).merge(with: Just(3))) == [1, 2, 3])
    #expect(all(Publishers.MergeMany()) == [])
    #expect(Just(1).merge(with: Just(2)) == Publishers.MergeMany(Just(1), Just(2)))
    #expect(Publishers.Merge(Just(1), Just(2)) != Publishers.Merge(Just(1), Just(3)))
  }

  @Test func `the same publisher twice`() {
    let source = Source()
    let subscriber = TestSubscriber<Int, Broken>()
    source.merge(with: source).subscribe(subscriber)
    source.send(1)
    #expect(subscriber.values == [1, 1])
    source.send(completion: .finished)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `they call themselves as in Combine`() {
    func description<P: Publisher<Int, Never>>(_ publisher: P) -> String {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      publisher.subscribe(subscriber)
      defer { subscriber.cancel() }
      return "\(subscriber.subscription ?? Subscriptions.empty)"
    }
    #expect(description(Just(1).merge(with: Empty())) == "Merge")
    #expect(description(Just(1).merge(with: Just(2))) == "MergeMany")
    #expect(description(Just(1).flatMap { Just($0) }) == "FlatMap")
    let buffer = Just(1).buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
    #expect(description(buffer) == "Buffer")
  }
}

@Suite(.noLeaks) struct MergeRaceTests {
  @Test func `D4: from several threads, each in its order`() {
    for _ in 0..<100 {
      let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: .max(1), demandFor: { _, _ in .unlimited })
      a.merge(with: b).subscribe(subscriber)
      a.send(-1)
      let isOver = race(
        {
          for value in 0..<100 { a.send(value) }
          a.send(completion: .finished)
        },
        {
          for value in 100..<200 { b.send(value) }
          b.send(completion: .finished)
        })
      #expect(isOver)
      #expect(subscriber.values.filter { 0..<100 ~= $0 } == Array(0..<100))
      #expect(subscriber.values.filter { $0 >= 100 } == Array(100..<200))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }
}
