import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Backlogs whose values are conflated by key.
struct B3ConflationTests {
  private struct Price: Sendable, Equatable {
    let symbol: Int
    let number: Int
  }

  @Test
  func `B1, D7: thousands of symbols, readers that are too slow: the newest of each, in order`() {
    let source = PassthroughSubject<Price, Never>()
    let shared = source.share(backlog: .size(64, whenFull: .conflate(by: \.symbol)))
    let readers = (0..<2).map { _ in TestSubscriber<Price, Never>(initialDemand: .none) }
    for reader in readers { shared.subscribe(reader) }
    var chance = SeededChance(seed: 7)
    var newest: [Int: Int] = [:]
    for number in 0..<12_000 {
      let symbol = Int.random(in: 0..<4_000, using: &chance)
      newest[symbol] = number
      source.send(Price(symbol: symbol, number: number))
      if number % 10 == 0 { readers[number / 10 % 2].request(.max(1)) }
    }
    for account in shared.status.subscribers {
      #expect(account.waiting <= 4_000)
      #expect(account.missed == 0)
    }
    for (reader, account) in zip(readers, shared.status.subscribers) {
      #expect(reader.values.count + account.waiting + account.conflated == 12_000)
      reader.request(.unlimited)
      var last: [Int: Int] = [:]
      for price in reader.values {
        #expect(last[price.symbol].map { $0 < price.number } ?? true)
        last[price.symbol] = price.number
      }
      #expect(last == newest)
      reader.cancel()
    }
  }

  @Test func `B1, B5: gaps keep their places when what waits becomes fewer`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .last(2))
    let keeping = shared.sink { _ in }
    for value in [100, 101] { source.send(value) }
    let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    shared.joining(backlog: .size(2, whenFull: .conflate { $0 % 10 })).deliveries().subscribe(slow)
    for value in [1, 2, 11, 3, 12, 21] { source.send(value) }
    #expect(shared.status.subscribers.last?.conflated == 3)
    slow.request(.unlimited)
    #expect(
      slow.values == [.replayed(100), .replayed(101), .caughtUp, .live(21), .live(12), .live(3)])
    source.send(31)
    source.send(41)
    #expect(slow.values.suffix(2) == [.live(31), .live(41)])
    slow.cancel()
    keeping.cancel()
  }

  @Test func `O6: what makes way is released at once, and so is what waits at a cancel`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(backlog: .size(1, whenFull: .conflate { $0.id % 2 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.map(\.id).subscribe(slow)
    let watches = (1...6).map { id in
      let token = Token(id)
      source.send(token)
      return WeakReference(token)
    }
    #expect(watches.map(\.isAlive) == [false, false, false, false, true, true])
    slow.cancel()
    #expect(watches.allSatisfy { !$0.isAlive })
  }

  @Test func `D11: a key that cancels, sends and asks while it is looked up`() {
    let source = PassthroughSubject<Int, Never>()
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    let calls = Shared(0)
    let shared = source.share(
      backlog: .size(
        1,
        whenFull: .conflate { (value: Int) -> Int in
          calls.change { $0 += 1 }
          if value == 2 { source.send(10) }
          if value == 3 { slow.cancel() }
          return 0
        }))
    shared.subscribe(slow)
    let other = TestSubscriber<Int, Never>()
    shared.subscribe(other)
    for value in 1...3 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [])
    #expect(other.values == [1, 2, 10, 3])
    #expect(calls.value == 4)
    other.cancel()
  }

  @Test func `Q5: a loop gets what its values have become`() async {
    let source = PassthroughSubject<Int, Never>()
    let sums = source.share(backlog: .size(1, whenFull: .conflate { $0 + $1 }))
    var loop = sums.values.makeAsyncIterator()
    for value in 1...4 { source.send(value) }
    #expect(await loop.next() == 10)
    var batches = sums.values.batches(upTo: 8).makeAsyncIterator()
    for value in 1...4 { source.send(value) }
    #expect(await batches.next() == [10])
  }

  @Test func `O6: the key of a value that was taken is released`() {
    struct Key: Hashable { let token: ObjectKey }
    final class ObjectKey: Hashable, Sendable {
      let id: Int
      init(_ id: Int) { self.id = id }
      static func == (one: ObjectKey, other: ObjectKey) -> Bool { one.id == other.id }
      func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
    let source = PassthroughSubject<ObjectKey, Never>()
    let shared = source.share(backlog: .size(1, whenFull: .conflate { Key(token: $0) }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.map(\.id).subscribe(slow)
    let watches = (1...3).map { id in
      let key = ObjectKey(id)
      source.send(key)
      return WeakReference(key)
    }
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
    #expect(watches.allSatisfy { !$0.isAlive })
    slow.cancel()
  }

  @Test func `L9, B3: a value of a new connection takes the place of an older one of its key`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(backlog: .size(1, whenFull: .conflate { $0 % 10 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    for value in [1, 2, 11] { source.send(value) }
    shared.reconnect()
    for value in [21, 22, 31] { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [31, 22])
    slow.cancel()
  }

  @Test(arguments: [1, 3])
  func `B3, L9: however many connections there are, one value waits for each key`(size: Int) async {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      replay: .all, backlog: .size(size, whenFull: .conflate { $0 % 2 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    var loop = shared.values.makeAsyncIterator()
    for value in 0..<40 {
      source.send(value)
      if value % 2 == 1 { shared.reconnect() }
    }
    #expect(shared.status.subscribers.map(\.waiting) == [2, 2])
    #expect(shared.status.subscribers.map(\.conflated) == [38, 38])
    slow.request(.unlimited)
    #expect(slow.values == [38, 39])
    for value in 38...39 { #expect(await loop.next() == value) }
    slow.cancel()
  }

  @Test func `L9, B3: what was taken of an old connection does not count any more`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(backlog: .size(2, whenFull: .conflate { $0 % 10 }))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    for value in [1, 2] { source.send(value) }
    shared.reconnect()
    slow.request(.max(2))
    for value in [3, 4, 13, 14] { source.send(value) }
    #expect(shared.status.subscribers[0].waiting == 2)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 13, 14])
    slow.cancel()
  }
}
