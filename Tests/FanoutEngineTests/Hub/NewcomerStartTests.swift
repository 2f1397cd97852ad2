import Testing

@testable import FanoutEngine

/// Where newcomers start, and where a receiver goes on that rejoins.
struct NewcomerStartTests {
  private func described(_ start: NewcomerStart) -> String { "\(start.kind) \(start.place)" }

  @Test func `B4: newcomers start at the last values, none of them from before a clear`() {
    var record = StartRecord()
    record.count = 3
    #expect(described(record.start(before: 5)) == "available 2")
    record.noteClear(at: 5)
    #expect(described(record.start(before: 5)) == "cleared 5")
    #expect(described(record.start(before: 7)) == "available 5")
    record.noteConnection(opening: false, at: 7)
    #expect(described(record.start(before: 7)) == "none 7")
    record.noteClear(at: 7)
    #expect(described(record.start(before: 7)) == "none 7")
    record.noteConnection(opening: true, at: 7)
    #expect(described(record.start(before: 9)) == "available 7")
  }

  @Test func `B4: newcomers start at the newest start, or wait for it`() {
    var record = StartRecord()
    record.follow()
    #expect(described(record.start(before: 5)) == "none 5")
    record.noteKeyframe(at: 5)
    #expect(described(record.start(before: 8)) == "available 5")
    record.noteClear(at: 8)
    #expect(described(record.start(before: 9)) == "awaited 9")
    #expect(record.isAwaited)
    record.noteConnection(opening: false, at: 9)
    record.noteClear(at: 9)
    #expect(described(record.start(before: 9)) == "none 9")
    record.noteConnection(opening: true, at: 9)
    #expect(!record.isAwaited)
    #expect(described(record.start(before: 9)) == "none 9")
    #expect(described(record.start(before: 10)) == "available 9")
  }

  private static let cases: [(NewcomerStart.Kind, first: Int?, lacksEnough: Bool, String)] = [
    (.available, 3, true, "at 4"), (.available, 4, true, "nil"), (.available, nil, true, "nil"),
    (.none, 0, true, "nil"), (.behindAll, 3, false, "behind"), (.behindAll, nil, true, "nil"),
    (.cleared, 0, true, "at 4"), (.cleared, 0, false, "nil"), (.awaited, 0, true, "waiting"),
    (.awaited, 0, false, "nil"),
  ]

  @Test(arguments: cases)
  func `B4: a receiver goes on where a newcomer starts, if that is ahead`(
    kind: NewcomerStart.Kind, first: Int?, lacksEnough: Bool, expected: String
  ) {
    let start = NewcomerStart(kind: kind, place: 4, openedAt: 0)
    let found =
      switch start.restart(from: first, ifLacking: lacksEnough) {
      case nil: "nil"
      case .at(let place)?: "at \(place)"
      case .behindReplay?: "behind"
      case .waiting?: "waiting"
      }
    #expect(found == expected)
  }
}
