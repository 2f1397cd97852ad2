import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops over the `values` of shared publishers with a backlog.
struct BacklogLoopTests {
  @Test func `B1, B6: four loops at the pace of the slowest lose nothing`() async {
    let count = 2_000
    let ahead = Shared((taken: 0, least: [0, 0, 0, 0], most: 0))
    let shared = (1...count).publisher.unspecialized.map { number -> Int in
      ahead.change {
        $0.taken = number
        $0.most = max($0.most, number - ($0.least.min() ?? 0))
      }
      return number
    }.multicast(replay: .none, backlog: .size(16, whenFull: .wait))
    let loops = (0..<4).map { index in
      var iterator = shared.values.makeAsyncIterator()
      return Task {
        var received: [Int] = []
        while let number = await iterator.next() {
          received.append(number)
          ahead.change { $0.least[index] = number }
          for _ in 0..<index where number % 3 == 0 { await Task.yield() }
        }
        return received
      }
    }
    let claim = shared.connect()
    for loop in loops { #expect(await loop.value == Array(1...count)) }
    // A loop notes a value after it has made room for another.
    #expect(ahead.value.most <= 16 + 2)
    claim.cancel()
  }

  @Test func `B6: a loop that is cancelled opens the gate`() async {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .size(2, whenFull: .wait))
    let fast = TestSubscriber<Int, Never>()
    shared.subscribe(fast)
    let loop = Shared<SharedSequence<Int, Never>.Iterator?>(
      shared.values.makeAsyncIterator())
    source.send(1)
    source.send(2)
    #expect(source.requests.reduce(.none, +) == .max(2))
    loop.change { $0 = nil }
    #expect(source.requests.reduce(.none, +) == .max(4))
    fast.cancel()
  }

  @Test func `B6: a loop requests more when half of its backlog is free, and counts what it holds`()
    async
  {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .size(4, whenFull: .wait))
    var iterator = shared.values.makeAsyncIterator()
    #expect(source.requests == [.max(4)])
    for number in 1...4 { source.send(number) }
    #expect(shared.status.subscribers.map(\.waiting) == [4])
    #expect(await iterator.next() == 1)
    #expect(shared.status.subscribers.map(\.waiting) == [3])
    #expect(source.requests == [.max(4)])
    #expect(await iterator.next() == 2)
    // It has taken the third one too, but its body has not got that.
    #expect(shared.status.subscribers.map(\.waiting) == [2])
    #expect(source.requests == [.max(4), .max(2)])
    #expect(await iterator.next() == 3)
    for number in 5...6 { source.send(number) }
    source.send(completion: .finished)
    for number in 4...6 { #expect(await iterator.next() == number) }
    #expect(await iterator.next() == nil)
    #expect(source.requests.reduce(.none, +) <= .max(10))
  }

  @Test func `B6: the slowest sets the pace, be it a loop or a subscriber`() async {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .size(4, whenFull: .wait))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    var iterator = shared.values.makeAsyncIterator()
    for number in 1...4 { source.send(number) }
    for number in 1...4 { #expect(await iterator.next() == number) }
    #expect(source.requests == [.max(4)])
    slow.request(.max(3))
    #expect(source.requests.reduce(.none, +) == .max(7))
    for number in 5...7 { source.send(number) }
    slow.request(.unlimited)
    // Three values wait for the loop.
    #expect(source.requests.reduce(.none, +) == .max(8))
    #expect(await iterator.next() == 5)
    #expect(source.requests.reduce(.none, +) == .max(9))
    slow.cancel()
    withExtendedLifetime(iterator) {}
  }

  @Test func `B6: of a sequence a loop takes no more than its backlog, and gets all of it`() async {
    for size in [1, 2, 3, 16, 100] {
      let taken = Shared(0)
      let shared = (1...1_000).publisher.unspecialized.map { number -> Int in
        taken.change { $0 = number }
        return number
      }.share(backlog: .size(size, whenFull: .wait))
      var received = 0
      for await number in shared.values {
        received += 1
        #expect(number == received)
        #expect(taken.value <= received + size)
      }
      #expect(received == 1_000)
    }
  }

  @Test(arguments: ["oldest", "newest", "error", "rejoin"])
  func `B3, B4: a slow loop gets what the backlog says`(kind: String) async {
    let source = PassthroughSubject<Int, Broken>()
    let whenFull: Backlog<Int, Broken>.WhenFull =
      switch kind {
      case "oldest": .dropOldest
      case "newest": .dropNewest
      case "error": .customError { Broken() }
      default: .rejoin
      }
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 4 == 0 }, backlog: .size(2, whenFull: whenFull))
    var iterator = shared.values.makeAsyncIterator()
    for number in 1...9 { source.send(number) }
    source.send(completion: .finished)
    var received: [Int] = []
    var hasFailed = false
    do {
      while let number = try await iterator.next() { received.append(number) }
    } catch {
      hasFailed = true
    }
    #expect(hasFailed == (kind == "error"))
    #expect(received == (["newest", "error"].contains(kind) ? [1, 2] : [8, 9]))
  }
}
