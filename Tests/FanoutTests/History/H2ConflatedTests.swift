import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A store of numbers of which each replaces the one before with the same remainder by three.
private final class ConflatedStore: Sendable {
  struct State {
    var numbers: [Int] = []
    var isFailing = false
  }

  let state = Shared(State())

  var history: NumberHistory {
    NumberHistory(by: \.self, isConflated: true) { [state] range in
      let now = state.value
      if now.isFailing { throw Broken() }
      let newest = now.numbers.filter { number in !now.numbers.contains { $0 == number + 3 } }
      return newest.filter { range.contains($0) }
    }
  }

  func commit(_ numbers: ClosedRange<Int>) { state.change { $0.numbers += Array(numbers) } }
}

struct H2ConflatedTests {
  /// A loop that has had 1 live, and has lost all but the last two of those up to a number.
  private func laggard(
    upTo number: Int, _ store: ConflatedStore, _ stream: Broadcast<Int, Never>
  ) async -> SplicedNumbers.Iterator {
    let spliced = stream.values.joining(
      after: nil, from: store.history, backlog: .size(2, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    store.commit(1...1)
    stream.yield(1)
    #expect(await loop.next() == .live(1))
    lose(2...number, store, stream)
    return loop
  }

  private func lose(
    _ numbers: ClosedRange<Int>, _ store: ConflatedStore, _ stream: Broadcast<Int, Never>
  ) {
    store.commit(numbers)
    for number in numbers { stream.yield(number) }
  }

  @Test func `H2: what a conflated store leaves out is replaced, and not missed`() async {
    let (store, stream) = (ConflatedStore(), Broadcast<Int, Never>())
    var loop = await laggard(upTo: 10, store, stream)
    // Of 2 to 8, which the backlog has dropped, 8 replaces 2 and 5; 9 and 10, which wait, the rest.
    for event in [Delivery.replayed(8), .live(9), .live(10)] { #expect(await loop.next() == event) }
    lose(11...15, store, stream)
    for event in [Delivery.replayed(13), .live(14), .live(15)] {
      #expect(await loop.next() == event)
    }
    stream.finish()
    #expect(await loop.next() == nil)
  }

  @Test func `H2: no number is told when a read of a conflated store fails`() async {
    let (store, stream) = (ConflatedStore(), Broadcast<Int, Never>())
    var loop = await laggard(upTo: 10, store, stream)
    store.state.change { $0.isFailing = true }
    for event in [Delivery.missed(nil), .live(9), .live(10)] { #expect(await loop.next() == event) }
    // A loss behind that is told by itself, or not at all.
    store.state.change { $0.isFailing = false }
    lose(11...15, store, stream)
    for event in [Delivery.replayed(13), .live(14), .live(15)] {
      #expect(await loop.next() == event)
    }
  }

  @Test func `H2: a value that a conflated store gives before it is sent is not counted`() async {
    let (store, stream) = (ConflatedStore(), Broadcast<Int, Never>())
    let spliced = stream.values.joining(
      after: nil, from: store.history, backlog: .size(1, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    lose(1...1, store, stream)
    #expect(await loop.next() == .live(1))
    store.commit(2...6)
    // 2 to 4 are sent, and 2 and 3 are lost. The store has 4 to 6, of which 4 waits.
    for number in 2...4 { stream.yield(number) }
    #expect(await loop.next() == .live(4))
    // 5 is lost; 6 waits, and is not given twice.
    for number in 5...6 { stream.yield(number) }
    #expect(await loop.next() == .replayed(5))
    #expect(await loop.next() == .live(6))
    store.commit(7...9)
    for number in 7...9 { stream.yield(number) }
    for event in [Delivery.replayed(7), .replayed(8), .live(9)] {
      #expect(await loop.next() == event)
    }
  }
}
