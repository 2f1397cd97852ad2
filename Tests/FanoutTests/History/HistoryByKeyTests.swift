import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct HistoryByKeyTests {
  private func counted(_ made: Shared<[Int]>) -> HistoryByKey<Int, Int, Int> {
    HistoryByKey { key in
      made.change { $0.append(key) }
      return NumberHistory(by: \.self) { range in
        (10 * key..<10 * key + 10).filter { range.contains($0) }
      }
    }
  }

  @Test func `H5: loops of one key share the reads of one history`() async {
    let made = Shared<[Int]>([])
    let histories = counted(made)
    let (one, other) = (histories[1], histories[1])
    #expect(one === other)
    #expect(histories[2] !== one)
    #expect(made.value == [1, 2])
    let stream = Broadcast<Int, Never>(replay: .last(1))
    stream.yield(15)
    stream.finish()
    let events = await stream.values.joining(after: 12, from: one).all()
    #expect(events == replayed(13...15) + [.caughtUp])
  }

  @Test func `A history goes with its last loop, and is made anew`() {
    let made = Shared<[Int]>([])
    let histories = counted(made)
    weak var released: NumberHistory?
    do {
      let history = histories[1]
      released = history
      #expect(released != nil)
    }
    #expect(released == nil)
    _ = histories[1]
    #expect(made.value == [1, 1])
  }

  @Test func `Keys in use stay the same beside thousands that are over`() {
    let histories = counted(Shared([]))
    let kept = (0..<40).map { histories[$0] }
    for key in 100..<5_000 { _ = histories[key] }
    #expect((0..<40).allSatisfy { histories[$0] === kept[$0] })
  }

  @Test func `Threads that ask for a key at the same time get one history`() async {
    let histories = counted(Shared([]))
    let all = await withTaskGroup(of: NumberHistory.self) { group in
      for _ in 0..<100 { group.addTask { histories[7] } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(all.map(ObjectIdentifier.init)).count == 1)
  }
}
