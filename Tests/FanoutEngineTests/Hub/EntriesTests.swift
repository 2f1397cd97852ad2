import Testing

@testable import FanoutEngine

/// The entries of a backlog, and the gaps that a receiver is told of.
struct EntriesTests {
  /// Takes all notices and entries: a position, `gap` with its number, or `caughtUp`.
  private func told(_ entries: Entries) -> [String] {
    var entries = entries
    var told: [String] = []
    while true {
      switch entries.takeNotice(behindReplay: false) {
      case .missed(let count): told.append("gap \(count.map(String.init) ?? "?")")
      case .caughtUp: told.append("caughtUp")
      case nil:
        guard let next = entries.next else { return told }
        told.append("\(next.position)")
        entries.removeFirst()
      }
    }
  }

  private func entries(replayed: Range<Int> = 0..<0, live: Range<Int>) -> Entries {
    var entries = Entries()
    for position in replayed { entries.append(Entry(at: position, isReplayed: true)) }
    entries.reserve()
    for position in live { entries.append(Entry(at: position)) }
    return entries
  }

  @Test func `B5: the gap lies in front of what is left behind it`() {
    var entries = entries(live: 0..<4)
    for _ in 0..<2 { #expect(entries.dropOldest() == 1) }
    #expect(told(entries) == ["caughtUp", "gap 2", "2", "3"])
    #expect(entries.dropNewest() == 1)
    entries.miss(4)
    entries.append(Entry(at: 8))
    #expect(told(entries) == ["caughtUp", "gap 2", "2", "gap 5", "8"])
  }

  @Test func `B5: what is dropped behind the replay leaves a gap behind caughtUp`() {
    var entries = entries(replayed: 0..<2, live: 2..<5)
    for _ in 0..<2 { #expect(entries.dropOldest() == 1) }
    #expect(told(entries) == ["0", "1", "caughtUp", "gap 2", "4"])
  }

  @Test(arguments: [(0, ["gap 3", "caughtUp", "3"]), (1, ["0", "caughtUp", "gap 2", "3"])])
  func `B4, B5: a new start has one gap, in front of caughtUp if it begins in the replay`(
    reserved: Int, expected: [String]
  ) {
    var entries = entries(replayed: 0..<1, live: 1..<4)
    if reserved == 0 { entries.endReserve() }
    #expect(entries.restart { $0.position >= 3 } == 3 - reserved)
    #expect(told(entries) == expected)
  }

  @Test func `B1: a header that comes with a start is in no account`() {
    var entries = entries(live: 0..<1)
    entries.append(Entry(at: 1, isInFront: true, isContext: true))
    #expect(entries.dropNewest() == 0)
    #expect(entries.restart { _ in false } == 1)
    #expect(told(entries) == ["caughtUp", "gap 1"])
  }

  @Test func `B3, B5: the gap in front of a value that makes way lies behind the others`() {
    var entries = entries(live: 0..<2)
    entries.miss(1)
    entries.append(Entry(at: 3))
    let newest = entries.removeLast()
    let older = entries.removeLast()
    // The newest takes the place of the older one.
    entries.putBack(older, missing: 0)
    entries.miss(newest.missed)
    #expect(told(entries) == ["caughtUp", "0", "1", "gap 1"])
  }

  @Test func `B5: an unknown gap comes first of all, and none is told while the replay waits`() {
    var entries = entries(live: 5..<6)
    entries.hasUnknownGap = true
    #expect(entries.dropOldest() == 1)
    #expect(entries.takeNotice(behindReplay: true) == .missed(nil))
    #expect(entries.takeNotice(behindReplay: true) == nil)
    #expect(!entries.hasNotice(behindReplay: true))
    #expect(told(entries) == ["caughtUp", "gap 1"])
  }

  @Test func `entries leave at the front in any number`() {
    var entries = entries(live: 0..<1000)
    for position in 0..<1000 {
      #expect(entries.live[0].position == position)
      entries.append(Entry(at: 1000 + position))
      entries.removeFirst()
    }
    entries.prepend([Entry(at: -1)])
    #expect(entries.live.count == 1000 && entries.next?.position == -1)
    #expect(entries.last?.position == 1999)
    entries.endReserve()
    #expect(entries.live.count == 1001 && entries.next?.position == -1)
  }
}
