import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that rejoin, beside a subscriber that the delivering thread lets rejoin.
struct LoopRejoinTests {
  typealias Start = LoopBesideSubscriber.Start

  @Test(arguments: Start.allCases, [false, true])
  func `B4, B5, L9: a loop rejoins as any subscriber, also behind a new connection and a clear`(
    _ start: Start, joinsAlone: Bool
  ) async {
    for seed in seeds(12) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...4, using: &chance)
      let pair = LoopBesideSubscriber(
        start: start, backlog: .size(size, whenFull: .rejoin), joinsAlone: joinsAlone)
      await pair.run(&chance, "seed \(seed)")
    }
  }

  @Test(arguments: Start.allCases, [1, 2, 3, 4])
  func `B4, D10: one that joins in a delivery rejoins by what is sent meanwhile, one by one`(
    _ start: Start, limit: Int
  ) async {
    let pair = LoopBesideSubscriber(
      start: start, backlog: .size(limit, whenFull: .rejoin), joinsAlone: true)
    for sent in 0...9 {
      await pair.runJoiningInDelivery(sending: sent, ends: false)
      await pair.runJoiningInDelivery(sending: sent, ends: true)
    }
  }

  @Test(arguments: Start.allCases)
  func `B4, L9, D10: one that joins in a delivery rejoins, also behind new connections and clears`(
    _ start: Start
  ) async {
    for seed in seeds(200) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...5, using: &chance)
      let pair = LoopBesideSubscriber(
        start: start, backlog: .size(size, whenFull: .rejoin), joinsAlone: true)
      let changes = (0...Int.random(in: 0...30, using: &chance)).map { _ in
        Int.random(in: 0..<5, using: &chance) > 0
          ? nil : LoopBesideSubscriber.Change.allCases.randomElement(using: &chance)
      }
      await pair.runJoiningInDelivery(
        sending: changes.count - 1, ends: Bool.random(using: &chance), behind: changes,
        "seed \(seed)")
    }
  }

  @Test func `B4, L9: one that joins in a delivery keeps what waits when the connection closes`()
    async
  {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(replay: .last(3))
    let loops = Shared<[SharedSequence<Int, Never>.AsyncIterator]>([])
    let keeping = shared.sink { value in
      guard value == 1 else { return }
      let backlog = Backlog<Int, Never>.size(2, whenFull: .rejoin)
      let made = shared.values.joining(backlog: backlog).makeAsyncIterator()
      loops.change { $0.append(made) }
      for number in 2...4 { source.send(number) }
      shared.reconnect()
    }
    source.send(1)
    var loop = loops.value[0]
    source.send(completion: .finished)
    var values: [Int] = []
    while let value = await loop.next() { values.append(value) }
    #expect(values.suffix(3) == [2, 3, 4])
    keeping.cancel()
  }

  @Test func `B4: a loop that rejoins is not delayed by a subscriber that is stuck`() async throws {
    let source = Broadcast<Int, Broken>(
      replay: .last(2), backlog: .size(2, whenFull: .rejoin))
    let stuck = HeldSubscriber(at: 1)
    source.values.publisher.subscribe(stuck.subscriber)
    var loop = source.values.makeAsyncIterator()
    let thread = TestThread { source.yield(1) }
    #expect(stuck.stands())
    for number in 2...9 { source.yield(number) }
    #expect(try await loop.next() == 8)
    #expect(try await loop.next() == 9)
    stuck.letGo()
    #expect(thread.join())
    source.finish()
    #expect(try await loop.next() == nil)
    stuck.subscriber.cancel()
  }
}
