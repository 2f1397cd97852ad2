import Foundation
import GRDB
import Logging
import Synchronization
import Testing

@testable import LiveBoard

@Suite(
  .timeLimit(.minutes(30)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisForeignTests {
  private static let epoch = "liveboard:{b}:epoch"
  private static let new = #"{"text":"new","column":"todo"}"#

  @Test(
    "A foreign key of a board is an error of its requests, with no busy loop, until it is deleted",
    arguments: [
      ["SET", epoch, "garbage"], ["SET", epoch, "0123456789ABCDEF0123"], ["LPUSH", epoch, "x"],
      ["SET", "liveboard:{b}:log", "x"],
      ["XADD", "liveboard:{b}:log", "9223372036854775808-1", "a", "b"],
    ])
  func foreign(command: [String]) async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      try await one.makeBoard("c")
      _ = try await one.add("one")
      #expect(try await other.texts() == ["one"])
      var stream = try await one.stream()
      _ = try await stream.events(upTo: "live")
      if command[0] != "XADD" { try await redis.command("DEL", command[1]) }
      _ = try await redis.client.send(command)
      try await redis.command("CONFIG", "RESETSTAT")
      for service in [one, other] {
        for _ in 0..<3 {
          let shown = try await service.request(.GET, "/api/boards/b")
          #expect(shown.status == 503)
          #expect(shown["error"]?.contains(command[1]) == true)
          let refused = try await service.request(.POST, "/api/boards/b/items", json: Self.new)
          #expect(refused.status == 503)
        }
      }
      #expect(try await redis.scripts() < 200)
      _ = try await other.add("there", to: "c")
      // What the log tells the operator to do.
      try await redis.command("DEL", command[1])
      #expect(try await one.texts() == ["one"])
      _ = try await other.add("two")
      #expect(try await one.texts() == ["one", "two"])
      #expect(try await other.texts() == ["one", "two"])
      let told = try await stream.events(upTo: "snapshot")
      #expect(told.map(\.name).suffix(2) == ["missed", "snapshot"])
    }
  }

  @Test("The log is told of a foreign key once in a while, and what to do")
  func told() async throws {
    let redis = try await RedisServer.start()
    let lines = LogLines()
    let folder = TemporaryFolder()
    let feed = try redis.feed(in: folder, logger: lines.logger)
    #expect(try await feed.create(Board(id: "b", title: "B")))
    try await redis.command("SET", Self.epoch, "garbage")
    for _ in 0..<20 { await #expect(throws: BoardError.self) { try await feed.catchUp("b") } }
    let told = lines.all.filter { $0.contains("redis-cli DEL '\(Self.epoch)'") }
    #expect(told.count == 1)
  }

  @Test("A snapshot that cannot be read is not taken for an empty board")
  func damagedSnapshot() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      // So the state is in the snapshot of a new epoch alone.
      try await redis.command("FLUSHALL")
      #expect(try await one.texts() == ["one"])
      for (field, damaged) in [("state", "{"), ("entry", "x")] {
        try await redis.command("HSET", "liveboard:{b}:snapshot", field, damaged)
        let refused = try await other.request(.GET, "/api/boards/b")
        #expect(refused.status == 503)
        #expect(refused["error"]?.contains("liveboard:{b}:snapshot") == true)
        #expect(try await one.texts() == ["one"])
      }
      // The other process is asked for one in its place.
      var watching = try await one.stream()
      _ = try await watching.events(upTo: "live")
      try await redis.command("DEL", "liveboard:{b}:snapshot")
      #expect(try await other.texts() == ["one"])
    }
  }

  @Test("A list of boards with foreign fields costs no script for each")
  func foreignFields() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      for number in 0..<300 { try await redis.command("HSET", RedisLog.boards, "x\(number)", "x") }
      try await redis.command("CONFIG", "RESETSTAT")
      #expect(try await other.request(.GET, "/api/boards").text.contains(#""id":"b""#))
      #expect(try await redis.scripts() < 10)
    }
  }

  @Test("A foreign list of boards hides no board, and comes back when it is deleted")
  func foreignList() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      #expect(try await other.texts() == [])
      try await redis.command("DEL", RedisLog.boards)
      try await redis.command("SET", RedisLog.boards, "x")
      #expect(try await one.request(.GET, "/api/boards").text.contains(#""id":"b""#))
      _ = try await one.add("one")
      #expect(try await other.texts() == ["one"])
      let refused = try await one.request(.POST, "/api/boards", json: #"{"id":"c","title":"C"}"#)
      #expect(refused.status == 503)
      #expect(refused["error"]?.contains(RedisLog.boards) == true)
      try await redis.command("DEL", RedisLog.boards)
      _ = try await one.request(.GET, "/api/boards")
      #expect(try await redis.command("HKEYS", RedisLog.boards) == .array([.string("b")]))
    }
  }

  @Test("A board that cannot be repaired is an error, and no busy loop")
  func stuck() async throws {
    try await RedisServer.withTwo { redis, one, _ in
      try await one.makeBoard()
      // The database takes no epoch.
      try await one.service.boards.store.database.write { db in
        try db.execute(
          sql: """
            CREATE TRIGGER stop BEFORE UPDATE OF epoch ON boards
            BEGIN SELECT RAISE(IGNORE); END
            """)
      }
      try await redis.command("FLUSHALL")
      try await redis.command("CONFIG", "RESETSTAT")
      let refused = try await one.request(.POST, "/api/boards/b/items", json: Self.new)
      #expect(refused.status == 503)
      #expect(refused["error"]?.contains("repaired") == true)
      #expect(try await redis.scripts() < 200)
    }
  }

  @Test("A write that Redis cannot have is said to be none")
  func notWritten() async throws {
    try await RedisServer.withTwo { redis, one, _ in
      try await one.makeBoard()
      try await redis.command("CONFIG", "SET", "maxmemory", "1")
      let full = try await one.request(.POST, "/api/boards/b/items", json: Self.new)
      #expect(full.status == 503)
      #expect(full["error"] == "Redis refuses changes, so nothing was written. Try again.")
      try await redis.command("CONFIG", "SET", "maxmemory", "0")
      redis.kill()
      // The end of the connection may come in the midst of the first.
      _ = try await one.request(.GET, "/api/boards/b")
      let away = try await one.request(.POST, "/api/boards/b/items", json: Self.new)
      #expect(away.status == 503)
      #expect(away["error"] == "Redis cannot be reached, so nothing was written. Try again.")
      try await redis.restart()
      #expect(try await one.texts() == [])
    }
  }

  @Test("A write whose answer is missing is said to be unknown")
  func unanswered() async throws {
    try await RedisServer.withTwo { redis, one, _ in
      try await one.makeBoard()
      let change = Change.add(Item(id: "i", text: "new", column: .todo, rank: 1))
      let feed = one.service.boards.feed
      try await redis.command("CLIENT", "PAUSE", "60000", "WRITE")
      async let write = feed.append(change, isRanked: true, to: "b")
      try await until {
        try await redis.command("INFO", "clients").text?.contains("blocked_clients:1") == true
      }
      redis.kill()
      do {
        _ = try await write
        Issue.record("It was not written.")
      } catch let error as BoardError {
        #expect(error.status == .serviceUnavailable)
        #expect(error.text.contains("not known"))
      }
    }
  }
}

/// The lines of a log.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  var logger: Logger { Logger(label: "tests") { _ in Handler(lines: self) } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.message)") } }
  }
}
