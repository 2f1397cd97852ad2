import Foundation
import GRDB
import NIOHTTP1
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct BoardTests {
  @Test("A removed board is gone, its streams are told, and its id is free")
  func removed() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let known = try await service.add("one")
      var stream = try await service.stream()
      _ = try await stream.events(upTo: "live")
      let response = try await service.request(.DELETE, "/api/boards/b")
      #expect(response.status == 200)
      #expect(response["removed"] == "b")
      #expect(try await stream.next()?.name == "removed")
      #expect(try await stream.next() == nil)
      for path in ["/api/boards/b", "/api/boards/b/events"] {
        #expect(try await service.request(.GET, path).status == 404)
      }
      #expect(try await service.request(.GET, "/api/boards").text == "[]")
      #expect(try await service.request(.DELETE, "/api/boards/b").status == 404)
      try await service.makeBoard()
      var again = try await service.stream(after: known.position)
      #expect(try await again.events(upTo: "live").map(\.name) == ["missed", "snapshot", "live"])
    }
  }

  @Test("A removed board makes room below the limit of boards")
  func room() async throws {
    try await RunningService.with(options: {
      $0.boardsPerAddress = 0; $0.writesPerAddress = 0
    }) {
      service in
      let store = service.service.boards.store
      for number in 0..<Limits.boards {
        #expect(try await store.insert(Board(id: "\(number)", title: "b"), epoch: .now))
      }
      let full = try await service.request(.POST, "/api/boards", json: #"{"id":"b","title":"b"}"#)
      #expect(full.status == 400)
      #expect(full["error"]?.contains("Remove one") == true)
      try await service.request(.DELETE, "/api/boards/7")
      let room = try await service.request(.POST, "/api/boards", json: #"{"id":"b","title":"b"}"#)
      #expect(room.status == 201)
    }
  }

  @Test("A board that is empty and not watched goes after a day; others stay")
  func unused() async throws {
    try await RunningService.with { running in
      let service = running.service
      for id in ["empty", "emptied", "full", "watched"] { try await running.makeBoard(id) }
      _ = try await running.add("one", to: "full")
      let item = try await running.add("one", to: "emptied")
      try await running.request(.DELETE, "/api/boards/emptied/items/\(item.id)")
      var stream = try await running.stream("watched")
      _ = try await stream.events(upTo: "live")
      let removal = UnusedBoards(
        boards: service.boards, time: .seconds(86_400), instruments: service.instruments,
        logger: service.logger)
      let now = Date()
      func boards(after seconds: Double) async throws -> [String] {
        try await removal.remove(at: now.addingTimeInterval(seconds))
        return try await service.boards.store.boards().map(\.id)
      }
      #expect(try await boards(after: 89_000).count == 4)
      #expect(try await boards(after: 91_000) == ["full", "watched"])
      #expect(running.metric("liveboard_unused_boards_removed_total") == 2)
    }
  }

  @Test("Coming back behind many changes costs by the items that have changed")
  func comingBack() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let known = try await service.add("0")
      var items = [known.id]
      for number in 1..<20 { items.append(try await service.add("\(number)").id) }
      let feed = service.service.boards.feed
      for number in 0..<2_000 {
        let edit = Change.Edit(text: "edit \(number)")
        _ = try await feed.append(.edit(items[number % 20], edit), isRanked: true, to: "b")
      }
      let position = try #require(Position(known.position))
      let updates = try await service.service.boards.store.updates(
        of: "b", after: position, limit: 10_000)
      #expect(updates.count == 20)
      var stream = try await service.stream(after: known.position)
      let events = try await stream.events(upTo: "live")
      #expect(events.dropLast().flatMap(\.texts) == (1_980..<2_000).map { "edit \($0)" })
      #expect(!events.contains { $0.name == "missed" })
    }
  }

  @Test("HEAD is answered as GET, without a body", arguments: ["/", "/health", "/api/boards/b"])
  func head(path: String) async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let response = try await service.request(.HEAD, path)
      #expect(response.status == 200)
      #expect(response.text.isEmpty)
    }
  }

  @Test("Another method is refused with those that there are")
  func methods() async throws {
    try await RunningService.with { service in
      let response = try await service.request(.PUT, "/api/boards", json: "{}")
      #expect(response.headers["Allow"] == ["GET, POST"])
      #expect(response.headers["X-Content-Type-Options"] == ["nosniff"])
    }
  }

  @Test("A person at an address without anything gets a page, and a program gets JSON")
  func nothing() async throws {
    try await RunningService.with { service in
      let page = try await service.request(
        .GET, "/nothing", headers: ["Accept": "text/html,application/xhtml+xml"])
      #expect(page.status == 404)
      #expect(page.text.contains("<!doctype html>"))
      let json = try await service.request(.GET, "/nothing", headers: ["Accept": "*/*"])
      #expect(json.status == 404)
      #expect(json["error"]?.contains("/nothing") == true)
    }
  }

  @Test("Metrics and readiness have a port of their own")
  func monitoring() async throws {
    try await RunningService.with(options: { $0.monitoringPort = 0 }) { service in
      let port = try #require(service.monitoringPort)
      func get(_ path: String, host: String = "127.0.0.1") async throws -> TestResponse {
        let connection = try await TestConnection.open(port)
        try await connection.send(.GET, path, headers: ["Host": host])
        return try await connection.response()
      }
      #expect(try await get("/metrics").text.contains("liveboard_streams 0"))
      #expect(try await get("/ready").status == 200)
      #expect(try await get("/health").text == "OK")
      let foreign = try await get("/metrics", host: "elsewhere.example")
      #expect(foreign.status == 421)
      #expect(foreign["error"]?.contains("--allow-host") == true)
      #expect(try await get("/nothing")["error"]?.contains("/nothing") == true)
      let database = service.service.boards.store.database
      try await database.write { try $0.execute(sql: "PRAGMA query_only = 1") }
      let ready = try await get("/ready")
      #expect(ready.status == 503)
      #expect(ready["error"]?.isEmpty == false)
      try await database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = 0") }
    }
  }

  @Test("A full disk is told, and nothing is lost")
  func fullDisk() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      _ = try await service.add("one")
      let database = service.service.boards.store.database
      func limit(_ pages: Int) async throws {
        try await database.writeWithoutTransaction { db in
          _ = try Int.fetchOne(db, sql: "PRAGMA max_page_count = \(pages)")
        }
      }
      // As if there were no room for a further page.
      try await limit(1)
      var status = 201
      while status == 201 {
        let text = String(repeating: "x", count: 900)
        status = try await service.request(
          .POST, "/api/boards/b/items", json: #"{"text":"\#(text)","column":"todo"}"#
        ).status
      }
      #expect(status == 507)
      let texts = try await service.texts()
      try await limit(1_000_000)
      _ = try await service.add("two")
      #expect(try await service.texts() == (texts + ["two"]).sorted())
    }
  }
}
