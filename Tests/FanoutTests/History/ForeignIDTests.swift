import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops whose ids the store does not know, beside loops whose ids it knows.
struct ForeignIDTests {
  private let stream = Broadcast<Int, Never>()
  private let executor = HandRunExecutor()
  /// The ids behind which the store was asked.
  private let asked = Shared<[Int?]>([])

  /// A store of five rows, whose first reads and whose others wait at two gates.
  private func history(
    _ first: AsyncGate, _ others: AsyncGate, failing: Int? = nil
  ) -> NumberHistory {
    NumberHistory(by: \.self) { [asked] range in
      asked.change { $0.append(range.after) }
      await (range.after ?? 0 <= 5 ? first : others).wait()
      if let failing, range.after == failing { throw Broken() }
      guard range.after ?? 0 <= 5 else { throw HistoryGap<Int>() }
      return (1...5).filter { range.contains($0) }
    }
  }

  private func loops(after ids: [Int], from history: NumberHistory) -> [NumberLoop] {
    let loops = ids.map {
      NumberLoop(stream.values.joining(after: $0, from: history), on: executor)
    }
    // Each has asked, and waits for a read.
    executor.runAll()
    return loops
  }

  /// Runs the loops until the store was asked a number of times, or for so long that it never will be.
  private func waitForReads(_ count: Int) async {
    for _ in 1...100_000 where asked.value.count < count {
      executor.runAll()
      await Task.yield()
    }
    executor.runAll()
  }

  private func sendLive() {
    for number in 6...9 { stream.yield(number) }
    stream.finish()
  }

  @Test func `H2, H5: a shared read is no answer to an id behind all that it gives`() async {
    let (first, others) = (AsyncGate(), AsyncGate())
    let ids = [2, 900, 3, 900, 5, 901]
    let loops = loops(after: ids, from: history(first, others))
    first.open()
    await waitForReads(3)
    // The loops that it answers share the first read, and those with one unknown id share another.
    #expect(asked.value.map { $0 ?? 0 }.sorted() == [2, 900, 901])
    others.open()
    sendLive()
    for (id, loop) in zip(ids, loops) {
      let before = id < 900 ? replayed(id + 1..<6) : [.missed(nil)]
      #expect(await loop.all() == before + [.caughtUp] + live(6...9))
    }
    #expect(asked.value.count == 3)
  }

  @Test(arguments: [[900, 2], [900, 901, 5], [901, 900, 2, 900], [900]])
  func `H2, H5: unknown ids are told in any order of the loops`(_ ids: [Int]) async {
    let open = AsyncGate()
    open.open()
    let loops = loops(after: ids, from: history(open, open))
    sendLive()
    for (id, loop) in zip(ids, loops) {
      let events = await loop.all()
      #expect(events.contains(.missed(nil)) == (id >= 900))
      #expect(events.compactMap(\.value) == Array((id >= 900 ? 6 : id + 1)...9))
    }
  }

  @Test func `H2, H5: a loop whose shared read fails asks though smaller ids wait for it`() async {
    let (first, others) = (AsyncGate(), AsyncGate())
    others.open()
    let loops = loops(after: [2, 900], from: history(first, others, failing: 2))
    sendLive()
    first.open()
    for loop in loops {
      #expect(await loop.all() == [.missed(nil), .caughtUp] + live(6...9))
    }
    #expect(asked.value == [2, 900])
  }

  @Test func `H2, H4: the failing read of an unknown id is told to no other loop`() async {
    let (first, others) = (AsyncGate(), AsyncGate())
    let loops = loops(after: [2, 900], from: history(first, others, failing: 900))
    first.open()
    await waitForReads(2)
    // Before the store has answered for 900.
    #expect(await loops[0].first(4) == replayed(3...5) + [.caughtUp])
    others.open()
    stream.finish()
    #expect(await loops[0].all() == replayed(3...5) + [.caughtUp])
    #expect(await loops[1].all() == [.missed(nil), .caughtUp])
  }

  @Test func `H2: a loop that resumes is not taken to have had what lies in front`() async {
    let history = NumberHistory(by: \.self) { range in
      guard range.after ?? 0 <= 5 else { throw HistoryGap(resumingAfter: 5) }
      return []
    }
    let loop = NumberLoop(stream.values.joining(after: 900, from: history))
    #expect(await loop.first(2) == [.missed(nil), .caughtUp])
    // The store had 4 and 5 before they were sent.
    for number in 4...6 { stream.yield(number) }
    stream.finish()
    #expect(await loop.all() == [.missed(nil), .caughtUp] + live(4...6))
  }

  @Test func `H2: an unknown id is told when a failed read is followed by one that answers`() async
  {
    let isFailing = Shared(true)
    let history = NumberHistory(by: \.self) { _ -> [Int] in
      if isFailing.value { throw Broken() }
      throw HistoryGap<Int>()
    }
    let spliced = stream.values.joining(
      after: 900, from: history, backlog: .size(1, whenFull: .dropNewest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .missed(nil))
    #expect(await loop.next() == .caughtUp)
    isFailing.value = false
    // The loop keeps its id, so 6 counts as one that it has had. Then it asks, since its backlog has dropped 7 and 8.
    for number in 6...8 { stream.yield(number) }
    #expect(await loop.next() == .missed(nil))
    stream.yield(9)
    #expect(await loop.next() == .live(9))
  }

  @Test func `H2: what waits is not skipped, though the store does not know the id`() async {
    let history = NumberHistory(by: \.self) { [stream] _ -> [Int] in
      for number in 4...6 { stream.yield(number) }
      stream.finish()
      throw HistoryGap(resumingAfter: 5)
    }
    let loop = NumberLoop(stream.values.joining(after: 900, from: history))
    #expect(await loop.all() == [.missed(nil), .caughtUp] + live(4...6))
  }

  @Test(arguments: [(4, 4), (5, 6), (8, 6)])
  func `H2: a store that resumes at the id of a loop, or behind it, knows the id`(
    resuming: Int, first: Int
  ) async {
    let history = NumberHistory(by: \.self) { [stream] range -> [Int] in
      guard range.after == 5 else { return [] }
      for number in 4...7 { stream.yield(number) }
      stream.finish()
      throw HistoryGap(resumingAfter: resuming)
    }
    let loop = NumberLoop(stream.values.joining(after: 5, from: history))
    #expect(await loop.all() == [.missed(nil), .caughtUp] + live(first...7))
  }
}
