import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Publishers of sequences that can be iterated once.
struct SinglePassTests {
  /// A way in which a stream is iterated a second time.
  fileprivate enum SecondRun: String, CaseIterable, Codable, Sendable {
    case subscription, throwing, behindMap, idle, reconnect, restart, key
  }

  private static func iterateTwice(_ run: SecondRun) async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let publisher = stream.publisher
    let over = AsyncGate()
    switch run {
    case .subscription:
      let copy = publisher
      let sinks = [publisher.sink { _ in }, copy.sink { _ in }]
      withExtendedLifetime(sinks) {}
    case .throwing:
      let throwing = AsyncThrowingStream<Int, any Error> { $0.yield(1) }.publisher
      for _ in 1...2 {
        throwing.sink { _ in
        } receiveValue: { _ in
        }.cancel()
      }
    case .behindMap:
      let mapped = stream.map { $0 + 1 }.filter { $0 > 0 }.publisher
      for _ in 1...2 { mapped.sink { _ in }.cancel() }
    case .idle:
      let shared = publisher.share(replay: .none, disconnect: .whenIdle)
      for _ in 1...2 { shared.sink { _ in }.cancel() }
    case .reconnect:
      let shared = stream.shared()
      let sink = shared.publisher.sink { _ in }
      shared.reconnect()
      withExtendedLifetime(sink) {}
    case .restart:
      feed.finish()
      let shared = stream.shared(restart: .afterFinish)
      let first = shared.publisher.sink(
        receiveCompletion: { _ in over.open() }, receiveValue: { _ in })
      await over.wait()
      withExtendedLifetime([first, shared.publisher.sink { _ in }]) {}
    case .key:
      let keys = SharedByKey { (_: Int) in publisher }
      for _ in 1...2 { keys[1].sink { _ in }.cancel() }
    }
  }

  @Test(arguments: SecondRun.allCases)
  fileprivate func `a second run of a stream traps and says what to do, in release builds too`(
    run: SecondRun
  ) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [run = run as SecondRun] in
      await Self.iterateTwice(run)
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    for part in ["subscribed to a second time", "stream.shared()", "Deferred"] {
      #expect(message.contains(part))
    }
  }

  @Test func `L1: a stream that is shared as a sequence serves loops that come and go`() async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let shared = stream.shared(replay: .last(1))
    for number in 1...3 {
      feed.yield(number)
      for await value in shared where value == number { break }
    }
    feed.finish()
    for await value in shared { #expect(value == 3) }
  }

  @Test func `L1: one that is kept until it is released goes on without subscribers`() async {
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    let shared = stream.publisher.share(replay: .last(1), disconnect: .whenReleased)
    for number in 1...3 {
      feed.yield(number)
      for await value in shared.values where value == number { break }
    }
    feed.finish()
    #expect(await shared.values.firstValue() == 3)
  }

  @Test func `L8, L9: a sequence that can run again does, and so does a stream that is made anew`()
    async
  {
    let numbers = Again()
    for _ in 1...2 {
      var all: [Int] = []
      for await number in numbers.publisher.values { all.append(number) }
      #expect(all == [1, 2])
    }
    let anew = Deferred { AsyncStream { $0.yield(1) }.publisher }.share(disconnect: .whenIdle)
    for _ in 1...2 { #expect(await anew.values.firstValue() == 1) }
    let keys = SharedByKey { (key: Int) in AsyncStream { $0.yield(key) } }
    for _ in 1...2 { #expect(await keys[7].values.firstValue() == 7) }
    let mapped = numbers.map { $0 * 2 }.publisher
    for _ in 1...2 { #expect(await mapped.firstValue() == 2) }
  }
}

/// A sequence that can be iterated any number of times.
private struct Again: AsyncSequence, Sendable {
  typealias Element = Int

  struct AsyncIterator: AsyncIteratorProtocol {
    var last = 0

    mutating func next() async throws(Never) -> Int? { await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Int? {
      guard last < 2 else { return nil }
      last += 1
      return last
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
