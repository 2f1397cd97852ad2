import Fanout
import FanoutTestSupport
import Observation
import Testing

@MainActor
@Observable
private final class Counter {
  private(set) var count = 0
  @ObservationIgnored private let end: End?

  init(end: End? = nil) { self.end = end }

  func count(_ numbers: Int...) {
    for number in numbers { count = number }
  }

  func observations() -> Observations<Int, Never> { Observations { self.count } }
}

/// Changes of an observable model, shared by loops.
struct ObservationTests {
  @Test(arguments: [2, 10])
  func `D2, D6: every loop over a share of observations gets every value of the iteration`(
    loops: Int
  ) async {
    let counter = await Counter()
    let shared = await counter.observations().shared(replay: .latest)
    var iterators = (0..<loops).map { _ in shared.makeAsyncIterator() }
    #expect(await iterators[0].next() == 0)
    for count in 1...20 {
      await counter.count(count)
      #expect(await iterators[0].next() == count)
    }
    for index in 1..<loops {
      for count in 0...20 { #expect(await iterators[index].next() == count) }
    }
    var late = shared.makeAsyncIterator()
    #expect(await late.next() == 20)
  }

  @Test func `changes that follow each other at once come as one, to all loops`() async {
    let counter = await Counter()
    let shared = await counter.observations().shared(replay: .latest)
    var (first, second) = (shared.makeAsyncIterator(), shared.makeAsyncIterator())
    #expect(await first.next() == 0)
    await counter.count(1, 2)
    #expect(await first.next() == 2)
    #expect(await second.next() == 0)
    #expect(await second.next() == 2)
  }

  @Test func `of two iterators of the observations themselves, one misses a change`() async {
    let counter = await Counter()
    let observations = await counter.observations()
    var (first, second) = (observations.makeAsyncIterator(), observations.makeAsyncIterator())
    #expect(await first.next() == 0)
    #expect(await second.next() == 0)
    await counter.count(1)
    #expect(await first.next() == 1)
    // The first one has taken the note of the change. The second gets nothing before the next change.
    let later = Task { await counter.count(2) }
    #expect(await second.next() == 2)
    await later.value
  }

  @Test func `L7: the iteration, and what its closure holds, is released with the share`() async {
    let (released, release) = AsyncStream.makeStream(of: Never.self)
    var shared: SharedSequence<Int, Never>? = await Counter(end: End(release)).observations()
      .shared(replay: .latest)
    var first = shared?.makeAsyncIterator()
    #expect(await first?.next() == 0)
    withExtendedLifetime(shared) {}
    (shared, first) = (nil, nil)
    for await _ in released {}
  }
}

/// An object that ends a stream when it is released.
private final class End: Sendable {
  private let stream: AsyncStream<Never>.Continuation

  init(_ stream: AsyncStream<Never>.Continuation) { self.stream = stream }
  deinit { stream.finish() }
}
