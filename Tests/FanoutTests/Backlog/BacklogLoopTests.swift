import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops over `elements()` of shared publishers with a backlog.
struct BacklogLoopTests {
  @Test func `B1, B6: four loops at the pace of the slowest lose nothing`() async {
    let count = 2_000
    let ahead = Shared((taken: 0, least: [0, 0, 0, 0], most: 0))
    let shared = (1...count).publisher.map { number -> Int in
      ahead.change {
        $0.taken = number
        $0.most = max($0.most, number - ($0.least.min() ?? 0))
      }
      return number
    }.multicast(replay: .none, backlog: .size(16, whenFull: .wait))
    let loops = (0..<4).map { index in
      var iterator = shared.elements().makeAsyncIterator()
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
    let loop = Shared<Publishers.Elements<Publishers.Share<TestPublisher<Int, Never>>>.Iterator?>(
      shared.elements().makeAsyncIterator())
    source.send(1)
    source.send(2)
    #expect(source.requests.reduce(.none, +) == .max(2))
    loop.change { $0 = nil }
    #expect(source.requests.reduce(.none, +) == .max(4))
    fast.cancel()
  }

  @Test(arguments: ["oldest", "newest", "error", "rejoin"])
  func `B3, B4: a slow loop gets what the backlog says`(kind: String) async {
    let source = PassthroughSubject<Int, Broken>()
    let whenFull: Backlog<Broken>.WhenFull =
      switch kind {
      case "oldest": .dropOldest
      case "newest": .dropNewest
      case "error": .customError { Broken() }
      default: .rejoin
      }
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 4 == 0 }, backlog: .size(2, whenFull: whenFull))
    var iterator = shared.elements().makeAsyncIterator()
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
