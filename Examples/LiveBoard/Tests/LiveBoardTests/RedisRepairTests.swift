import Foundation
import GRDB
import Testing

@testable import LiveBoard

@Suite(
  .timeLimit(.minutes(30)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisRepairTests {
  private static let stream = "liveboard:{b}:log"

  private func skipped(_ service: RunningService) -> Int {
    service.metric("liveboard_entries_unreadable_total")
  }

  @Test("A repair that stops before Redis has it is made anew, and no database differs")
  func stoppedBeforeSeed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeHole(beside: other)
      // Redis answers what is read, and refuses what is written.
      try await redis.command("CONFIG", "SET", "maxmemory", "1")
      await #expect(throws: RedisError.self) {
        try await one.service.boards.feed.catchUp("b")
      }
      let kept = try #require(try await one.service.boards.store.snapshot(of: "b"))
      #expect(kept.items.map(\.text) == ["edited"])
      try await redis.command("CONFIG", "SET", "maxmemory", "0")
      #expect(try await one.texts() == ["edited", "two"])
      #expect(try await other.texts() == ["edited", "two"])
    }
  }

  @Test("A repair that stops when Redis has it is gone on with, and no database differs")
  func stoppedBehindSeed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeHole(beside: other)
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
      #expect(try await other.texts() == ["edited", "two"])
      _ = try await other.add("three")
      try await database.write { db in try db.execute(sql: "DROP TRIGGER stop") }
      #expect(try await one.texts() == ["edited", "three", "two"])
      #expect(try await other.texts() == ["edited", "three", "two"])
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
      #expect(try await one.texts() == ["one", "two"])
      #expect(try await other.texts() == ["one", "two"])
      #expect(skipped(one) == 2)
      #expect(skipped(other) == 2)
      var back = try await one.stream(after: known.position)
      #expect(try await back.events(upTo: "live").flatMap(\.texts) == ["two"])
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        let there = try await late.texts()
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
      #expect(try await one.texts() == other.texts())
      var back = try await one.stream(after: known.position)
      #expect(try await back.events(upTo: "live").map(\.name) == ["missed", "snapshot", "live"])
    }
  }

  @Test("An entry of another program does not hide that the stream is trimmed in front of it")
  func foreignBehindTrim() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("0")
      #expect(try await other.texts() == ["0"])
      var watching = try await one.stream()
      _ = try await watching.events(upTo: "live")
      for number in 1...3 { _ = try await one.add("\(number)") }
      _ = try await watching.events(3)
      try await redis.command("XADD", Self.stream, "*", "greeting", "hello")
      // While the entry behind which it stands is there, a process can tell that it has everything in front of it.
      try await until { skipped(one) == 1 }
      try await redis.command("XTRIM", Self.stream, "MAXLEN", "1")
      #expect(try await other.texts() == (0...3).map(String.init))
      _ = try await other.add("4")
      #expect(try await one.texts() == (0...4).map(String.init))
    }
  }

  @Test("A board beyond the limit is refused before anything of it is in Redis")
  func limit() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.service.boards.store.database.write { db in
        for number in 0..<Limits.boards {
          try db.execute(
            sql: "INSERT INTO boards VALUES (NULL, ?, 'A board', ?, 0, 0, 0, 0, 0)",
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
