import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Takes the next values of an iterator.
func take<Iterator: AsyncIteratorProtocol>(
  _ count: Int, from iterator: inout Iterator
) async throws -> [Iterator.Element] {
  var values: [Iterator.Element] = []
  while values.count < count, let value = try await iterator.next() { values.append(value) }
  return values
}

struct ElementsTests {
  @Test(arguments: Policy.allCases)
  func `D6: a loop gets its replay, then every later value`(_ policy: Policy) async throws {
    let subject = PassthroughSubject<Int, Broken>()
    let shared = subject.share(replay: policy.replay)
    let holding = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let early = [1, 2, 3, 4, 5, 7]
    for value in early { subject.send(value) }
    var iterator = shared.values.makeAsyncIterator()
    for value in [8, 9, 10] { subject.send(value) }
    subject.send(completion: .finished)
    let expected = policy.remembered(of: early) + [8, 9, 10]
    #expect(try await take(99, from: &iterator) == expected)
    #expect(try await iterator.next() == nil)
    holding.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D10: a loop after the end gets the replay, then the end`(_ policy: Policy) async throws {
    let subject = PassthroughSubject<Int, Broken>()
    let shared = subject.share(replay: policy.replay)
    let holding = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let early = [1, 2, 3, 4, 5, 7]
    for value in early { subject.send(value) }
    subject.send(completion: .failure(Broken()))
    var values: [Int] = []
    await #expect(throws: Broken.self) {
      for try await value in shared.values { values.append(value) }
    }
    #expect(values == policy.remembered(of: early))
    holding.cancel()
  }

  @Test func `D9: a failure is thrown once, after every value`() async throws {
    let subject = ReplaySubject<Int, Broken>(.all)
    subject.send(1)
    var iterator = subject.values.makeAsyncIterator()
    subject.send(2)
    subject.send(completion: .failure(Broken()))
    #expect(try await take(2, from: &iterator) == [1, 2])
    var thrown: Broken?
    do { _ = try await iterator.next() } catch { thrown = error }
    #expect(thrown != nil)
    #expect(try await iterator.next() == nil)
  }

  @Test func `D16: nothing is lost between two calls of next, also where nothing is remembered`()
    async
  {
    let subject = PassthroughSubject<Int, Never>()
    var iterator = subject.share().values.makeAsyncIterator()
    for value in 1...1_000 { subject.send(value) }
    for value in 1...500 { #expect(await iterator.next() == value) }
    for value in 1_001...2_000 { subject.send(value) }
    for value in 501...2_000 { #expect(await iterator.next() == value) }
  }

  @Test func `D17: an iterator asks for everything when it is made`() async {
    let upstream = TestPublisher<Int, Never>()
    var iterator = upstream.share().values.makeAsyncIterator()
    #expect(upstream.requests == [.unlimited])
    upstream.send(5)
    #expect(await iterator.next() == 5)
  }

  @Test func `D6: a loop that joins while values wait gets as many as the replay holds`() async {
    let subject = ReplaySubject<Int, Never>(.last(2))
    nonisolated(unsafe) var iterator: SharedSequence<Int, Never>.Iterator?
    let holding = subject.sink { value in
      guard value == 3 else { return }
      // It waits, because 3 is still being delivered.
      subject.send(4)
      iterator = subject.values.makeAsyncIterator()
    }
    for value in 1...3 { subject.send(value) }
    subject.send(5)
    subject.send(completion: .finished)
    var values: [Int] = []
    while let value = await iterator?.next() { values.append(value) }
    #expect(values == [3, 4, 5])
    holding.cancel()
  }

  @Test func `D14: a synchronous upstream gives everything to the loop that connects`() async {
    var values: [Int] = []
    for await value in (1...5).publisher.share().values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
    values = []
    for await value in Just(1).share(replay: .all).values { values.append(value) }
    #expect(values == [1])
  }

  @Test func `D12: ten loops have one upstream subscription, and each is exact`() async {
    let isSubscribed = AsyncGate()
    let upstream = TestPublisher<Int, Never>()
    let signalling = Deferred {
      isSubscribed.open()
      return upstream
    }
    let shared = signalling.share(replay: .all)
    let count = 2_000
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<10 {
        group.addTask {
          var values: [Int] = []
          for await value in shared.values { values.append(value) }
          return values
        }
      }
      await isSubscribed.wait()
      for value in 0..<count { upstream.send(value) }
      upstream.send(completion: .finished)
      for await values in group { #expect(values == Array(0..<count)) }
    }
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `B3: buffering the newest skips what is older, behind the replay`() async {
    let subject = ReplaySubject<Int, Never>(.all)
    for value in 1...3 { subject.send(value) }
    var iterator = subject.values.joining(backlog: .size(2, whenFull: .dropOldest))
      .makeAsyncIterator()
    #expect(await iterator.next() == 1)
    for value in 4...6 { subject.send(value) }
    for value in [2, 3, 5] { #expect(await iterator.next() == value) }
    for value in 7...20 { subject.send(value) }
    #expect(await iterator.next() == 19)
    subject.send(completion: .finished)
    #expect(await iterator.next() == 20)
    #expect(await iterator.next() == nil)
  }

  /// The policies under which a loop fetches, and those under which it requests, with what 1, 2 and 3 leave.
  private static let replays: [(name: String, replay: Replay<Int>, values: [Int])] = [
    ("none", .none, []), ("latest", .latest, [3]), ("all", .all, [1, 2, 3]),
    ("last", .last(2), [2, 3]), ("cache", .latest { _ in 0 }, [3]),
    ("keyframe", .sinceKeyframe { $0 == 2 }, [2, 3]),
    ("limited keyframe", .sinceKeyframe(limit: .count(9)) { $0 == 2 }, [2, 3]),
    ("undelivered", .undelivered(9), [1, 2, 3]), ("headed", .last(2).headed { _ in 0 }, [1, 2, 3]),
  ]

  @Test func `B3, Q5: a loop over the newest gets its replay in full, whether it fetches or not`()
    async
  {
    for (name, replay, values) in Self.replays {
      for isErased in [false, true] {
        let subject = ReplaySubject<Int, Never>(replay)
        for value in 1...3 { subject.send(value) }
        var received: [Int] = []
        func collect<Elements: AsyncSequence>(_ elements: Elements) async
        where Elements.Element == Int, Elements.Failure == Never {
          var iterator = elements.makeAsyncIterator()
          for value in 4...8 { subject.send(value) }
          subject.send(completion: .finished)
          while let value = await iterator.next(isolation: nil) { received.append(value) }
        }
        if isErased {
          await collect(
            subject.eraseToAnySharedPublisher().values.joining(
              backlog: .size(2, whenFull: .dropOldest)))
        } else {
          await collect(subject.values.joining(backlog: .size(2, whenFull: .dropOldest)))
        }
        #expect(received == values + [7, 8], "\(name)")
      }
    }
  }

  @Test func `L5: a loop stays over a disconnect, and gets what it is owed`() async {
    let subject = PassthroughSubject<Int, Never>()
    let multicast = subject.multicast(replay: .all)
    var iterator = multicast.values.makeAsyncIterator()
    let first = multicast.connect()
    subject.send(1)
    subject.send(2)
    #expect(await iterator.next() == 1)
    first.cancel()
    subject.send(3)
    let second = multicast.connect()
    subject.send(4)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == 4)
    second.cancel()
  }

  @Test func `L1: autoconnect counts loops among its subscribers`() async {
    let upstream = TestPublisher<Int, Never>()
    let auto = upstream.multicast(replay: .latest).autoconnect()
    var iterator: SharedSequence<Int, Never>.Iterator? = auto.values.makeAsyncIterator()
    #expect(upstream.subscriptionCount == 1)
    upstream.send(3)
    #expect(await iterator?.next() == 3)
    iterator = nil
    #expect(upstream.cancelCount == 1)
  }
}
