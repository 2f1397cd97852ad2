import Foundation
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct ConnectionTests {
  static let paths = [
    "/", "/board.js", "/health", "/api/boards", "/api/boards/b/events",
  ]

  @Test(
    "A name that is not this service's is refused, so no other site can have its own lead here",
    arguments: [
      "elsewhere.example", "elsewhere.example:80", "localhost.elsewhere.example",
      "127.0.0.1.elsewhere.example", "127.0.0.2", "localhost:80:80", "localhost:", "[::1", "::1",
      "[::1]x", "user@localhost", "",
    ])
  func foreignHost(host: String) async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      for path in Self.paths {
        let response = try await service.request(.GET, path, headers: ["Host": host])
        #expect(response.status == 421, "\(path)")
        #expect(response["error"]?.contains("--allow-host") == true, "\(response.text)")
      }
      let write = try await service.request(
        .POST, "/api/boards/b/items", headers: ["Host": host, "Origin": "http://\(host)"],
        json: #"{"text":"a","column":"todo"}"#)
      #expect(write.status == 421)
    }
  }

  @Test(
    "The service's own names are let in, with any port",
    arguments: [
      "localhost", "LocalHost:1", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:8080",
      "board.example", "Board.Example:443", "[2001:db8::1]:80",
    ])
  func ownHost(host: String) async throws {
    try await RunningService.with(
      options: { $0.allowedHosts = ["Board.Example", "[2001:db8::1]"] }
    ) { service in
      try await service.makeBoard()
      let response = try await service.request(.GET, "/api/boards/b", headers: ["Host": host])
      #expect(response.status == 200)
    }
  }

  @Test("The address to which a browser has connected is a name of the service")
  func boundHost() async throws {
    try await RunningService.with(options: { $0.host = "0.0.0.0" }) { service in
      // Any address of the loopback network leads here.
      let connection = try await TestConnection.open(service.port, at: "127.0.0.3")
      try await connection.send(.GET, "/health", headers: ["Host": "127.0.0.3:\(service.port)"])
      #expect(try await connection.response().status == 200)
      try await connection.send(.GET, "/health", headers: ["Host": "127.0.0.4"])
      #expect(try await connection.response().status == 421)
    }
  }

  @Test("The options name further hosts")
  func options() throws {
    let options = try Options(["--allow-host", "a.example", "--allow-host", "[2001:db8::1]"])
    #expect(options.allowedHosts == ["a.example", "[2001:db8::1]"])
    for name in ["", "a.example:80", "http://a.example", "a b", "[::1", "2001:db8::1"] {
      #expect(throws: Options.UsageError.self, "\(name)") { try Options(["--allow-host", name]) }
    }
  }

  @Test("An event stream leaves its place also if more was asked for behind it")
  func pipelined() async throws {
    try await RunningService.with(options: { $0.streamsPerAddress = 1 }) { service in
      try await service.makeBoard()
      for isLate in [false, true] {
        var stream = try await service.stream()
        if isLate { _ = try await stream.events(upTo: "live") }
        for _ in 0..<40 { try await stream.connection.send(.GET, "/health") }
        if !isLate { _ = try await stream.events(upTo: "live") }
        _ = try await service.add("one")
        #expect(try await stream.next()?.texts == ["one"])
        stream.connection.close()
        try await until { service.metric("liveboard_streams") == 0 }
        #expect(service.metric("liveboard_requests_refused_total") == 0)
      }
    }
  }

  @Test("Requests that come before the answers to those in front are answered in turn")
  func inTurn() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let connection = try await TestConnection.open(service.port)
      for number in 0..<100 {
        try await connection.send(
          .POST, "/api/boards/b/items", headers: ["Content-Type": "application/json"],
          body: #"{"text":"\#(number)","column":"todo"}"#)
      }
      try await connection.send(.GET, "/api/boards/b")
      for _ in 0..<100 { #expect(try await connection.response().status == 201) }
      let snapshot = TestEvent(data: try await connection.response().text)
      #expect(snapshot.texts == (0..<100).map(String.init))
    }
  }

  @Test("A stream whose socket takes nothing is closed, leaves its place, and misses nothing")
  func stalled() async throws {
    try await RunningService.with(
      options: {
        $0.stalled = 1
        $0.streamsPerAddress = 2
      }
    ) { service in
      try await service.makeBoard()
      let item = try await service.add("0")
      var quick = try await service.stream()
      var slow = try await service.stream()
      _ = try await quick.events(upTo: "live")
      let last = try await slow.events(upTo: "live").compactMap(\.id).last
      try await slow.stall()
      try await service.editAtLength(item.id) { _ = try await quick.next() }
      try await until { service.metric("liveboard_connections_stalled_total") == 1 }
      try await until { service.metric("liveboard_streams") == 1 }
      var back = try await service.stream(after: last)
      let missed = try await back.events(upTo: "live")
      #expect(missed.flatMap(\.texts).last?.hasPrefix("399 ") == true)
      #expect(!missed.contains { $0.name == "missed" })
      // One that is quiet, and one that reads, stay.
      _ = try await service.add("one")
      #expect(try await quick.next()?.texts == ["one"])
      #expect(service.metric("liveboard_connections_stalled_total") == 1)
    }
  }

  @Test("A response whose socket takes nothing is closed too")
  func stalledResponse() async throws {
    try await RunningService.with(options: { $0.stalled = 1 }) { service in
      try await service.makeBoard()
      let text = String(repeating: "😀", count: 500)
      for _ in 0..<1_500 {
        let item = Item(id: Item.makeID(), text: text, column: .todo, rank: 0)
        _ = try await service.service.boards.feed.append(.add(item), isRanked: true, to: "b")
      }
      let connection = try await TestConnection.open(service.port)
      try await connection.channel.setOption(.autoRead, value: false).get()
      try await connection.send(.GET, "/api/boards/b")
      try await until { service.metric("liveboard_connections_stalled_total") == 1 }
    }
  }
}
