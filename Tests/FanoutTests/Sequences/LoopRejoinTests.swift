import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that rejoin, beside a subscriber that the delivering thread lets rejoin.
struct LoopRejoinTests {
  static let replays = ["none", "latest", "last", "newest of each key", "at most a cost"]

  private static func replay(_ name: String) -> Replay<Int> {
    switch name {
    case "none": .none
    case "latest": .latest
    case "last": .last(3)
    case "newest of each key": .latest(by: { $0 % 3 })
    default: .last(.count(3), .cost(20, of: { $0 % 9 }))
    }
  }

  @Test(arguments: replays, [false, true])
  func `B4, B5, L9: a loop rejoins as any subscriber, also behind a new connection and a clear`(
    _ name: String, joinsAlone: Bool
  ) async throws {
    for seed in 0..<150 {
      var chance = SeededChance(seed: UInt64(seed))
      let source = PassthroughSubject<Int, Never>()
      let backlog = Backlog<Int, Never>.size(
        Int.random(in: 1...4, using: &chance), whenFull: .rejoin)
      let shared = source.share(
        replay: Self.replay(name), backlog: joinsAlone ? nil : backlog)
      let keeping = shared.sink(receiveValue: { _ in })
      let early = Int.random(in: 0...4, using: &chance)
      for number in 0..<early { source.send(number) }
      let joined = shared.joining(backlog: backlog).deliveries()
      let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
      joined.subscribe(subscriber)
      var loop = shared.shared.joining(backlog: backlog).deliveries().makeAsyncIterator()
      for number in early..<early + 80 {
        switch Int.random(in: 0..<20, using: &chance) {
        case 0: shared.clearReplay()
        case 1: shared.reconnect()
        case 2..<12: source.send(number)
        default:
          guard shared.status.subscribers[1].waiting > 0 else { continue }
          let known = subscriber.values.count
          subscriber.request(.max(1))
          #expect(subscriber.values.count == known + 1)
          #expect(await loop.next() == subscriber.values.last, "seed \(seed)")
        }
        let accounts = shared.status.subscribers
        #expect(accounts[2].waiting == accounts[1].waiting, "seed \(seed)")
        #expect(accounts[2].missed == accounts[1].missed, "seed \(seed)")
        #expect(accounts[2].rejoins == accounts[1].rejoins, "seed \(seed)")
      }
      let known = subscriber.values.count
      source.send(completion: .finished)
      subscriber.request(.unlimited)
      var rest: [Delivery<Int>] = []
      while let event = await loop.next() { rest.append(event) }
      #expect(rest == Array(subscriber.values[known...]), "seed \(seed)")
      keeping.cancel()
    }
  }

  @Test(arguments: replays, [1, 2, 3, 4])
  func `B4, D10: one that joins in a delivery rejoins by what is sent meanwhile, one by one`(
    _ name: String, limit: Int
  ) async {
    for (sent, ends) in (0...9).flatMap({ [($0, false), ($0, true)] }) {
      let source = TestPublisher<Int, Never>()
      let backlog = Backlog<Int, Never>.size(limit, whenFull: .rejoin)
      let shared = source.share(replay: Self.replay(name))
      let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
      let loops = Shared<[SharedDeliveries<Int, Never>.Iterator]>([])
      let keeping = shared.sink { value in
        guard value == 2 else { return }
        shared.joining(backlog: backlog).deliveries().subscribe(subscriber)
        let made = shared.shared.joining(backlog: backlog).deliveries().makeAsyncIterator()
        loops.change { $0.append(made) }
        for number in 3..<3 + sent { source.send(number) }
        if ends { source.send(completion: .finished) }
      }
      source.send(1)
      source.send(2)
      var loop = loops.value[0]
      loops.value = []
      if !ends {
        let accounts = shared.status.subscribers
        #expect(accounts[2].waiting == accounts[1].waiting)
        #expect(accounts[2].missed == accounts[1].missed)
        #expect(accounts[2].rejoins == accounts[1].rejoins)
        source.send(completion: .finished)
      }
      subscriber.request(.unlimited)
      var events: [Delivery<Int>] = []
      while let event = await loop.next() { events.append(event) }
      #expect(events == subscriber.values, "\(sent) sent, \(ends)")
      keeping.cancel()
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
      let made = shared.shared.joining(backlog: backlog).makeAsyncIterator()
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
