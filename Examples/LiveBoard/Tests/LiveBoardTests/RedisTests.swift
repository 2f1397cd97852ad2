import Foundation
import NIOCore
import Testing

@testable import LiveBoard

@Suite(
  .timeLimit(.minutes(30)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisTests {
  private func log(_ redis: RedisServer) -> RedisLog { RedisLog(client: redis.client, board: "b") }

  @Test("Two processes have one order, and one reader for each board")
  func oneOrder() async throws {
    try await RedisServer.withTwo { _, one, other in
      try await one.makeBoard()
      var first = try await one.stream()
      var second = try await other.stream()
      _ = try await first.events(upTo: "live")
      _ = try await second.events(upTo: "live")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask { _ = try await (number % 2 == 0 ? one : other).add("\(number)") }
        }
        try await group.waitForAll()
      }
      let here = try await first.events(20)
      #expect(try await second.events(20) == here)
      let sent = (0..<20).map(String.init).sorted()
      #expect(here.flatMap(\.texts).sorted() == sent)
      #expect(try await one.texts() == other.texts())
      // An id of one process is known to the other.
      var back = try await other.stream(after: here[9].id)
      #expect(try await back.events(upTo: "live").dropLast() == here[10...])
    }
  }

  @Test("A process that comes late gets what the stream has, and the list of boards")
  func late() async throws {
    let redis = try await RedisServer.start()
    try await RunningService.with(options: { $0.redis = redis.url }) { one in
      try await one.makeBoard()
      _ = try await one.add("one")
      _ = try await one.add("two")
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        let list = try await late.request(.GET, "/api/boards").text
        #expect(list.contains(#""id":"b""#))
        let there = try await late.texts()
        #expect(there == ["one", "two"])
        let none = try await late.request(.GET, "/api/boards/none")
        #expect(none.status == 404)
      }
    }
  }

  @Test("Redis is killed and comes back: a write fails loudly, streams go on behind their last id")
  func killed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      var stream = try await other.stream()
      _ = try await stream.events(upTo: "live")
      _ = try await one.add("one")
      #expect(try await stream.next()?.texts == ["one"])
      redis.kill()
      let refused = try await one.request(
        .POST, "/api/boards/b/items", json: #"{"text":"lost","column":"todo"}"#)
      #expect(refused.status == 503)
      // Known is that it was not, if the end of the connection was noticed before.
      #expect(refused["error"]?.contains("written") == true)
      // What is known is still shown.
      #expect(try await other.texts() == ["one"])
      try await redis.restart()
      _ = try await one.add("two")
      #expect(try await stream.next()?.texts == ["two"])
      #expect(other.metric("liveboard_missed_told_total") == 0)
      #expect(try await one.texts() == other.texts())
    }
  }

  @Test(
    "A Redis that was emptied gets the state of a process; the others are told, and have it too")
  func emptied() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      let known = try await one.add("one")
      var stream = try await other.stream()
      _ = try await stream.events(upTo: "live")
      try await redis.command("FLUSHALL")
      _ = try await one.add("two")
      let told = try await stream.events(upTo: "live")
      #expect(told.map(\.name) == ["missed", "snapshot", "live"])
      // Either it came with the snapshot, or behind it.
      if told[1].texts.count < 2 { #expect(try await stream.next()?.texts == ["two"]) }
      #expect(try await one.texts() == ["one", "two"])
      #expect(try await other.texts() == ["one", "two"])
      var back = try await other.stream(after: known.position)
      #expect(try await back.next()?.name == "missed")
    }
  }

  @Test("A board that Redis has lost is not made anew, and one whose epoch is gone is repaired")
  func repaired() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      #expect(try await other.texts() == ["one"])
      try await redis.command("FLUSHALL")
      let again = try await other.request(.POST, "/api/boards", json: #"{"id":"b","title":"B"}"#)
      #expect(again.status == 409)
      #expect(try await one.texts() == ["one"])
      _ = try await one.add("two")
      try await redis.command("DEL", "liveboard:{b}:epoch")
      _ = try await other.add("three")
      #expect(try await one.texts() == ["one", "three", "two"])
      #expect(try await other.texts() == ["one", "three", "two"])
      // A process without the board has only what Redis has.
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        let there = try await late.texts()
        #expect(there == ["one", "three", "two"])
      }
    }
  }

  @Test("A process without the board takes the state with which a lost stream has begun anew")
  func seeded() async throws {
    try await RedisServer.withTwo { redis, one, _ in
      try await one.makeBoard()
      _ = try await one.add("one")
      try await redis.command("FLUSHALL")
      #expect(try await one.texts() == ["one"])
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        #expect(try await late.texts() == ["one"])
        _ = try await late.add("two")
        #expect(try await late.texts() == ["one", "two"])
      }
      #expect(try await one.texts() == ["one", "two"])
    }
  }

  @Test(
    "A browser that has more than a process that cannot reach Redis waits for it, and misses nothing"
  )
  func ahead() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      #expect(try await other.texts() == ["one"])
      let known = try await one.add("two")
      redis.kill()
      var back = try await other.stream(after: known.position)
      try await back.begin()
      try await redis.restart()
      #expect(try await back.next()?.name == "live")
      _ = try await one.add("three")
      #expect(try await back.next()?.texts == ["three"])
    }
  }

  @Test("An end that Redis has lost is put back by the process that has it")
  func lostEnd() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeHole(beside: other)
      #expect(try await one.texts() == ["edited", "two"])
      #expect(try await other.texts() == ["edited", "two"])
    }
  }

  @Test("A process that is behind a trimmed stream gets a snapshot of another one, and tells")
  func trimmed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      let known = try await one.add("0")
      #expect(try await other.texts() == ["0"])
      var watching = try await one.stream()
      _ = try await watching.events(upTo: "live")
      for number in 1...5 { _ = try await one.add("\(number)") }
      try await redis.command("XTRIM", log(redis).stream, "MAXLEN", "2")
      #expect(try await other.texts() == (0...5).map(String.init))
      #expect(try await one.texts() == (0...5).map(String.init))
      var back = try await other.stream(after: known.position)
      #expect(
        try await back.events(upTo: "live").map(\.name) == ["missed", "snapshot", "live"])
      // The process that had everything is not disturbed.
      #expect(try await watching.events(5).flatMap(\.texts) == (1...5).map(String.init))
      #expect(one.metric("liveboard_missed_told_total") == 0)
    }
  }

  @Test("A stream that is trimmed far behind a snapshot is read by a new process")
  func snapshot() async throws {
    let redis = try await RedisServer.start()
    try await RunningService.with(options: { $0.redis = redis.url }) { one in
      try await one.makeBoard()
      for number in 1...(RedisFeed.snapshotEvery + 2) { _ = try await one.add("\(number)") }
      try await redis.command("XTRIM", log(redis).stream, "MAXLEN", "2")
      try await RunningService.with(options: { $0.redis = redis.url }) { late in
        let (here, there) = (try await one.texts(), try await late.texts())
        #expect(there == here && there.count == RedisFeed.snapshotEvery + 2)
      }
    }
  }
}

struct RESPTests {
  @Test("A reply that comes byte by byte is read when it is there as a whole")
  func bytewise() throws {
    let text = "*4\r\n$5\r\nhe\r\no\r\n:-7\r\n$-1\r\n*2\r\n+OK\r\n-ERR no\r\n"
    let bytes = ByteBuffer(string: text)
    for count in 0..<text.utf8.count {
      var part = try #require(bytes.getSlice(at: 0, length: count))
      #expect(try RESPDecoder.read(&part, depth: 0) == nil)
    }
    var whole = bytes
    #expect(
      try RESPDecoder.read(&whole, depth: 0)
        == .array([
          .string("he\r\no"), .integer(-7), .null, .array([.string("OK"), .error("ERR no")]),
        ]))
    #expect(whole.readableBytes == 0)
  }

  @Test(
    "Bytes that are no reply are an error, and no crash",
    arguments: [
      "!\r\n", "$x\r\n", ":\r\n", "*99999999999999999999\r\n", "$99999999999\r\n", "\r\n",
    ])
  func malformed(text: String) {
    #expect(throws: RedisError.self) {
      var bytes = ByteBuffer(string: text)
      _ = try RESPDecoder.read(&bytes, depth: 0)
    }
  }
}

struct PositionTests {
  @Test("A position is what its text says, and epochs come before entries")
  func text() throws {
    let early = Epoch(milliseconds: 1, salt: .max)
    let late = Epoch.now(after: early)
    let position = Position(epoch: early, entry: EntryID(major: 1_795_741_434_230, minor: 7))
    #expect(Position(position.description) == position)
    #expect(position < Position(epoch: late, entry: .zero))
    #expect(EntryID(major: 2, minor: 0) > EntryID(major: 1, minor: 9))
    #expect(Epoch.now(after: Epoch(milliseconds: 1 << 47, salt: 0)).milliseconds == (1 << 47) + 1)
  }

  @Test(
    "Other text is no position",
    arguments: ["", "-", "1-2", "x-1-2", "0123456789abcdef0123-1", "0123456789abcdef0123-1--2"])
  func garbage(text: String) { #expect(Position(text) == nil) }
}
