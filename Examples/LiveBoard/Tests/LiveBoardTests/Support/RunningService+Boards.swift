import Testing

@testable import LiveBoard

extension RunningService {
  /// Returns the texts of the board `b`, sorted.
  func texts() async throws -> [String] {
    TestEvent(data: try await request(.GET, "/api/boards/b").text).texts.sorted()
  }

  /// Edits an item of the board `b` 400 times, with texts of 2 kB that begin with the number; the closure runs behind
  /// each edit.
  func editAtLength(_ item: Item.ID, each: () async throws -> Void = {}) async throws {
    let padding = String(repeating: "😀", count: 490)
    for number in 0..<400 {
      let edit = Change.Edit(text: "\(number) \(padding)")
      _ = try await service.boards.feed.append(.edit(item, edit), isRanked: true, to: "b")
      try await each()
    }
  }

  /// Makes a board of which Redis has lost an edit, and gone on; only this process has that.
  func makeHole(beside other: RunningService) async throws {
    try await makeBoard()
    let item = try await add("one")
    #expect(try await other.texts() == ["one"])
    // As if Redis had acknowledged this, and lost it.
    let store = service.boards.store
    let row = try #require(try await store.find("b"))
    let lost = RedisEntry(
      entry: EntryID(major: row.last.major, minor: row.last.minor + 1), epoch: row.epoch,
      previous: row.last, change: .edit(item.id, .init(text: "edited")))
    _ = try await store.apply([lost], to: "b")
    _ = try await other.add("two")
  }
}
