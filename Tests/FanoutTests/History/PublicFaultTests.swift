import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// The four forms of the fault that public code has, and the splice in the same place.
///
/// `between` is what happens between the two steps of the naive code, or while the history is read.
struct PublicFaultTests {
  private let stream = Broadcast<Int, Never>(replay: .none)
  private let store = NumberStore(1...3)

  private func publish(_ id: Int) {
    store.commit(id)
    stream.yield(id)
  }

  /// Collects what a splice gives, with `between` as soon as it has its place and before the store is read.
  private func spliced(
    after last: Int, _ between: @Sendable @escaping () -> Void, end: () -> Void
  ) async -> [Delivery<Int>] {
    // One loop reads, so that its reads come one after the other.
    let isRead = Shared(false)
    let history = NumberHistory(by: \.self) { [store] range in
      if !isRead.value {
        between()
        isRead.value = true
      }
      return try store.read(range)
    }
    let loop = NumberLoop(stream.values.joining(after: last, from: history))
    while !isRead.value { await Task.yield() }
    end()
    stream.finish()
    return await loop.all()
  }

  @Test func `H1: history first, then live, loses what comes between`() async {
    let rows = (try? store.read(HistoryRange(after: 1))) ?? []
    publish(4)
    var live = stream.values.makeAsyncIterator()
    publish(5)
    #expect(rows + [await live.next()] == [2, 3, 5])

    // The splice has its place in front of 6.
    let events = await spliced(after: 1, { publish(6) }, end: { publish(7) })
    #expect(events.compactMap(\.value) == [2, 3, 4, 5, 6, 7])
  }

  @Test func `H1: live first, without a bound, gives a value twice`() async {
    var live = stream.values.makeAsyncIterator()
    publish(4)
    let rows = (try? store.read(HistoryRange(after: 1))) ?? []
    #expect(rows + [await live.next()] == [2, 3, 4, 4])

    let events = await spliced(after: 1, { publish(5) }, end: { publish(6) })
    #expect(events.compactMap(\.value) == [2, 3, 4, 5, 6])
  }

  @Test func `H2: a store that was made anew is silent for an id of the old one`() async {
    let rows = (try? store.read(HistoryRange(after: 900))) ?? []
    var live = stream.values.makeAsyncIterator()
    publish(4)
    stream.finish()
    // Nothing is wrong here, and nothing comes.
    var values = rows
    while let id = await live.next() { if id > 900 { values.append(id) } }
    #expect(values == [])

    let history = NumberHistory(by: \.self) { [store] range in
      if let after = range.after, after > 4 { throw HistoryGap(resumingAfter: 0) }
      return try store.read(range)
    }
    let anew = ReplaySubject<Int, Never>(.last(1))
    anew.send(4)
    anew.send(completion: .finished)
    let events = await anew.joining(after: 900, from: history).all()
    #expect(events == [.missed(nil)] + replayed(1...4) + [.caughtUp])
  }

  @Test func `H2: a store that is trimmed gives what it has, as if that were all`() async {
    store.trim(through: 2, tells: false)
    let rows = (try? store.read(HistoryRange(after: 1))) ?? []
    #expect(rows == [3])

    store.trim(through: 2, tells: true)
    let events = await spliced(after: 1, {}, end: { publish(4) })
    #expect(events.first == .missed(nil))
    #expect(events.compactMap(\.value) == [3, 4])
  }
}
