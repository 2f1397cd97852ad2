import Foundation
import GRDB
import Testing

@testable import LiveBoard

@Suite(
  .timeLimit(.minutes(1)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisRepairTests {
  private static let stream = "liveboard:{b}:log"

  private func texts(_ service: RunningService) async throws -> [String] {
    let snapshot = try await service.request(.GET, "/api/boards/b")
    return TestEvent(data: snapshot.text).texts.sorted()
  }

  private func skipped(_ service: RunningService) -> Int {
    service.metric("liveboard_entries_unreadable_total")
  }

  /// Makes a board of which Redis has lost an edit, and gone on; the first process alone has that.
  private func makeHole(_ one: RunningService, _ other: RunningService) async throws {
    try await one.makeBoard()
    let item = try await one.add("one")
    #expect(try await texts(other) == ["one"])
    let store = one.service.boards.store
    let row = try #require(try await store.find("b"))
    let lost = RedisEntry(
      entry: EntryID(major: row.last.major, minor: row.last.minor + 1), epoch: row.epoch,
      previous: row.last, change: .edit(item.id, .init(text: "edited")))
    _ = try await store.apply([lost], to: "b")
    _ = try await other.add("two")
  }

  @Test("A repair that stops before Redis has it is made anew, and no database differs")
  func stoppedBeforeSeed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await makeHole(one, other)
      // Redis answers what is read, and refuses what is written.
      try await redis.command("CONFIG", "SET", "maxmemory", "1")
      await #expect(throws: RedisError.self) {
        try await one.service.boards.feed.catchUp("b")
      }
      let kept = try #require(try await one.service.boards.store.snapshot(of: "b"))
      #expect(kept.items.map(\.text) == ["edited"])
      try await redis.command("CONFIG", "SET", "maxmemory", "0")
      #expect(try await texts(one) == ["edited", "two"])
      #expect(try await texts(other) == ["edited", "two"])
    }
  }

  @Test("A repair that stops when Redis has it is gone on with, and no database differs")
  func stoppedBehindSeed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await makeHole(one, other)
      let database = one.service.boards.store.database
      try await database.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER stop BEFORE UPDATE OF epoch ON boards
            BEGIN SELECT RAISE(ABORT, 'stopped'); END
            """)
      }
      await #expect(throws: DatabaseError.self) {
        try await one.service.boards.feed.catchUp("b")
      }
      // Meanwhile another process follows the new epoch, and goes on.
      #expect(try await texts(other) == ["edited", "two"])
      _ = try await other.add("three")
      try await database.write { db in try db.execute(sql: "DROP TRIGGER stop") }
      #expect(try await texts(one) == ["edited", "three", "two"])
      #expect(try await texts(other) == ["edited", "three", "two"])
    }
  }

  @Test("An entry of another program is skipped: the board goes on, and nothing is told")
  func foreign() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      try await redis.command("XADD", Self.stream, "*", "first", "of all")
      let known = try await one.add("one")
      var stream = try await other.stream()
      _ = try await stream.events(upTo: "live")
      try await redis.command("XADD", Self.stream, "*", "greeting", "hello", "p", "none")
      _ = try await one.add("two")
      #expect(try await stream.next()?.texts == ["two"])
      #expect(try await texts(one) == ["one", "two"])
      #expect(try await texts(other) == ["one", "two"])
      #expect(skipped(one) == 2)
      #expect(skipped(other) == 2)
      var back = try await one.stream(after: known.position)
      #expect(try await back.events(upTo: "live").flatMap(\.texts) == ["two"])
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        let there = try await texts(late)
        #expect(there == ["one", "two"])
      }
    }
  }

  @Test("A change that this version cannot read is skipped, and told")
  func unreadable() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      let known = try await one.add("one")
      var stream = try await other.stream()
      _ = try await stream.events(upTo: "live")
      let row = try #require(try await one.service.boards.store.find("b"))
      try await redis.command(
        "XADD", Self.stream, "*", "e", row.epoch.text, "p", row.last.description, "c", "{}")
      let told = try await stream.events(upTo: "live")
      #expect(told.map(\.name) == ["missed", "snapshot", "live"])
      #expect(told[1].texts == ["one"])
      _ = try await one.add("two")
      #expect(try await stream.next()?.texts == ["two"])
      #expect(skipped(one) == 1)
      #expect(skipped(other) == 1)
      #expect(try await texts(one) == texts(other))
      var back = try await one.stream(after: known.position)
      #expect(try await back.events(upTo: "live").map(\.name) == ["missed", "snapshot", "live"])
    }
  }

  @Test("An entry of another program does not hide that the stream is trimmed in front of it")
  func foreignBehindTrim() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("0")
      #expect(try await texts(other) == ["0"])
      var watching = try await one.stream()
      _ = try await watching.events(upTo: "live")
      for number in 1...3 { _ = try await one.add("\(number)") }
      _ = try await watching.events(3)
      try await redis.command("XADD", Self.stream, "*", "greeting", "hello")
      // While the entry behind which it stands is there, a process can tell that it has everything in front of it.
      try await until { skipped(one) == 1 }
      try await redis.command("XTRIM", Self.stream, "MAXLEN", "1")
      #expect(try await texts(other) == (0...3).map(String.init))
      _ = try await other.add("4")
      #expect(try await texts(one) == (0...4).map(String.init))
    }
  }

  @Test("A board beyond the limit is refused before anything of it is in Redis")
  func limit() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.service.boards.store.database.write { db in
        for number in 0..<Limits.boards {
          try db.execute(
            sql: "INSERT INTO boards VALUES (NULL, ?, 'A board', ?, 0, 0, 0, 0)",
            arguments: ["board-\(number)", Epoch.now.text])
        }
      }
      let full = try await one.request(.POST, "/api/boards", json: #"{"id":"b","title":"B"}"#)
      #expect(full.status == 400)
      #expect(try await redis.command("KEYS", "*") == .array([]))
      // Also if only Redis knows of the boards.
      for number in 0..<Limits.boards {
        try await redis.command("HSET", RedisLog.boards, "board-\(number)", "A board")
      }
      let there = try await other.request(.POST, "/api/boards", json: #"{"id":"b","title":"B"}"#)
      #expect(there.status == 400)
      #expect(there["error"]?.contains("1000 boards") == true)
      #expect(try await redis.command("KEYS", "*") == .array([.string(RedisLog.boards)]))
    }
  }
}
