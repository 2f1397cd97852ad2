import Foundation
import Testing

@testable import LiveBoard

@Suite(
  .timeLimit(.minutes(30)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisRemovalTests {
  private static let again = #"{"id":"b","title":"Again"}"#

  private func remove(_ service: RunningService, ifUnused: Bool = false) async throws -> Bool {
    try await service.service.boards.feed.remove("b", unusedSince: ifUnused ? Date() : nil)
  }

  private func isListed(_ service: RunningService) async throws -> Bool {
    try await service.request(.GET, "/api/boards").text.contains(#""id":"b""#)
  }

  @Test("A board that one process removes is gone from all, and its streams end")
  func removed() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      var here = try await one.stream()
      var there = try await other.stream()
      _ = try await here.events(upTo: "live")
      _ = try await there.events(upTo: "live")
      #expect(try await remove(one))
      // No snapshot of what is not there any more.
      #expect(try await here.events(upTo: "removed").map(\.name) == ["removed"])
      #expect(try await there.events(upTo: "removed").map(\.name) == ["removed"])
      for service in [one, other] {
        #expect(try await !isListed(service))
        #expect(try await service.request(.GET, "/api/boards/b").status == 404)
        let refused = try await service.request(
          .POST, "/api/boards/b/items", json: #"{"text":"two","column":"todo"}"#)
        #expect(refused.status == 404)
      }
      #expect(try await !remove(one))
      #expect(try await !remove(other))
      #expect(
        try await redis.command("KEYS", "*") == .array([.string("liveboard:{b}:epoch")]))
      guard case .integer(let seconds) = try await redis.command("TTL", "liveboard:{b}:epoch")
      else { throw CancellationError() }
      #expect((89 * 86_400...90 * 86_400).contains(Int(seconds)))
    }
  }

  @Test("A list alone drops what another process has removed")
  func listed() async throws {
    try await RedisServer.withTwo { _, one, other in
      try await one.makeBoard()
      try await one.makeBoard("c")
      #expect(try await isListed(other))
      #expect(try await remove(one))
      let list = try await other.request(.GET, "/api/boards").text
      #expect(!list.contains(#""id":"b""#) && list.contains(#""id":"c""#))
      #expect(try await other.service.boards.store.find("b") == nil)
    }
  }

  @Test("A board is made again, empty and with its new title, and old ids of it are unknown")
  func madeAgain() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      let known = try await one.add("old")
      #expect(try await other.texts() == ["old"])
      #expect(try await remove(one))
      // The other one has not looked meanwhile.
      let made = try await one.request(.POST, "/api/boards", json: Self.again)
      #expect(made.status == 201)
      _ = try await one.add("new")
      let shown = try await other.request(.GET, "/api/boards/b").text
      #expect(shown.contains("Again"))
      #expect(try await other.texts() == ["new"])
      var back = try await other.stream(after: known.position)
      #expect(try await back.next()?.name == "missed")
      #expect(try await redis.command("TTL", "liveboard:{b}:epoch") == .integer(-1))
      _ = try await other.add("newer")
      #expect(try await one.texts() == ["new", "newer"])
    }
  }

  @Test("A write to a board that another process has removed finds none")
  func append() async throws {
    try await RedisServer.withTwo { _, one, other in
      try await one.makeBoard()
      #expect(try await other.texts() == [])
      #expect(try await remove(one))
      let change = Change.add(Item(id: "i", text: "new", column: .todo, rank: 1))
      let error = await #expect(throws: BoardError.self) {
        try await other.service.boards.feed.append(change, isRanked: true, to: "b")
      }
      #expect(error?.status == .notFound)
    }
  }

  @Test("A process that was away removes the board too, and does not bring it back")
  func away() async throws {
    let redis = try await RedisServer.start()
    let folder = TemporaryFolder()
    let path = folder.path("away.sqlite")
    try await RunningService.with(options: { $0.redis = redis.url }) { one in
      try await RunningService.with(options: { ($0.redis, $0.database) = (redis.url, path) }) {
        away in
        try await away.makeBoard()
        _ = try await away.add("one")
      }
      let wasThere = try await remove(one)
      #expect(wasThere)
      try await RunningService.with(options: { ($0.redis, $0.database) = (redis.url, path) }) {
        back in
        let response = try await back.request(.GET, "/api/boards/b")
        #expect(response.status == 404)
        let isThere = try await isListed(back)
        #expect(!isThere)
      }
      let isThere = try await isListed(one)
      #expect(!isThere)
    }
  }

  @Test("A board that Redis has lost can be removed all the same")
  func lost() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      #expect(try await other.texts() == ["one"])
      try await redis.command("FLUSHALL")
      #expect(try await remove(one))
      #expect(try await other.request(.GET, "/api/boards/b").status == 404)
    }
  }

  @Test("A board that was just made, is used or has items is not removed as unused")
  func unused() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      let used = "liveboard:{b}:used"
      // It has just been made.
      #expect(try await !remove(other, ifUnused: true))
      try await redis.command("DEL", used)
      try await one.service.boards.feed.use(["b"])
      guard case .integer(let seconds) = try await redis.command("TTL", used) else {
        throw CancellationError()
      }
      #expect((93_000...93_600).contains(Int(seconds)))
      #expect(try await !remove(other, ifUnused: true))
      try await redis.command("DEL", used)
      let item = try await one.add("one")
      #expect(try await !remove(other, ifUnused: true))
      try await one.request(.DELETE, "/api/boards/b/items/\(item.id)")
      #expect(try await remove(other, ifUnused: true))
      #expect(try await one.request(.GET, "/api/boards/b").status == 404)
      #expect(try await !remove(other, ifUnused: true))
    }
  }

  @Test("A board that two processes make, change and remove at once is the same in both")
  func atOnce() async throws {
    try await RedisServer.withTwo { _, one, other in
      for _ in 0..<20 {
        await withTaskGroup(of: Void.self) { group in
          for service in [one, other] {
            group.addTask { try? await service.makeBoard() }
            group.addTask { _ = try? await service.add("one") }
            let feed = service.service.boards.feed
            group.addTask { _ = try? await feed.remove("b", unusedSince: nil) }
            group.addTask { try? await feed.refresh() }
          }
        }
        let (here, there) = (
          try await one.request(.GET, "/api/boards/b"),
          try await other.request(.GET, "/api/boards/b")
        )
        #expect([200, 404].contains(here.status))
        #expect(here.text == there.text)
      }
      try await one.makeBoard()
      _ = try await one.add("last")
      #expect(try await other.texts() == one.texts())
      #expect(try await isListed(one))
      #expect(try await isListed(other))
    }
  }

  @Test("A process that knows only the title of a board does not begin an epoch with that")
  func title() async throws {
    try await RedisServer.withTwo { redis, one, other in
      try await one.makeBoard()
      _ = try await one.add("one")
      // As if it had stopped between the two steps.
      _ = try await other.service.boards.store.insert(
        Board(id: "b", title: "A board"), epoch: Position.none.epoch)
      try await redis.command("DEL", "liveboard:{b}:epoch")
      #expect(try await other.request(.GET, "/api/boards/b").status == 404)
      #expect(try await one.texts() == ["one"])
      #expect(try await other.texts() == ["one"])
    }
  }
}
