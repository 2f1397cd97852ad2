import Foundation
import NIOHTTP1
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct BadInputTests {
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let method: HTTPMethod
    let path: String
    var headers: [String: String] = [:]
    var body: String?
    let status: Int
  }

  static let long = String(repeating: "x", count: 2_001)

  static let cases = [
    Case(description: "no such path", method: .GET, path: "/nowhere", status: 404),
    Case(description: "no such board", method: .GET, path: "/api/boards/none", status: 404),
    Case(
      description: "events of no board", method: .GET, path: "/api/boards/none/events", status: 404),
    Case(
      description: "item on no board", method: .POST, path: "/api/boards/none/items",
      body: #"{"text":"a","column":"todo"}"#, status: 404),
    Case(
      description: "no such item", method: .PATCH, path: "/api/boards/b/items/none",
      body: #"{"text":"a"}"#, status: 404),
    Case(
      description: "removes no item", method: .DELETE, path: "/api/boards/b/items/none", status: 404
    ),
    Case(
      description: "not JSON", method: .POST, path: "/api/boards/b/items", body: "text=a",
      status: 400),
    Case(
      description: "a text, not an object", method: .POST, path: "/api/boards/b/items",
      body: #""a""#,
      status: 400),
    Case(
      description: "no text", method: .POST, path: "/api/boards/b/items",
      body: #"{"column":"todo"}"#,
      status: 400),
    Case(
      description: "text is a number", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":1,"column":"todo"}"#, status: 400),
    Case(
      description: "text is empty", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"","column":"todo"}"#, status: 400),
    Case(
      description: "text with the character in front of which the database ends it", method: .POST,
      path: "/api/boards/b/items", body: #"{"text":"a\u0000b","column":"todo"}"#, status: 400),
    Case(
      description: "text is blank", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":" \u200b\u2060 ","column":"todo"}"#, status: 400),
    Case(
      description: "text with a control character", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"a\u0001b","column":"todo"}"#, status: 400),
    Case(
      description: "text whose bytes are too many", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"\#(String(repeating: "é", count: 1_001))","column":"todo"}"#, status: 400),
    Case(
      description: "text is too long", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"\#(long)","column":"todo"}"#, status: 400),
    Case(
      description: "no such column", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"a","column":"later"}"#, status: 400),
    Case(
      description: "rank out of range", method: .POST, path: "/api/boards/b/items",
      body: #"{"text":"a","column":"todo","rank":1e300}"#, status: 400),
    Case(
      description: "changes nothing", method: .PATCH, path: "/api/boards/b/items/none", body: "{}",
      status: 400),
    Case(
      description: "board with a bad id", method: .POST, path: "/api/boards",
      body: #"{"id":"A b","title":"t"}"#, status: 400),
    Case(
      description: "board with a long id", method: .POST, path: "/api/boards",
      body: #"{"id":"\#(long)","title":"t"}"#, status: 400),
    Case(
      description: "board with a long title", method: .POST, path: "/api/boards",
      body: #"{"id":"c","title":"\#(long)"}"#, status: 400),
    Case(
      description: "board that is there", method: .POST, path: "/api/boards",
      body: #"{"id":"b","title":"t"}"#, status: 409),
    Case(
      description: "no content type", method: .POST, path: "/api/boards/b/items",
      headers: ["Content-Type": "text/plain"], body: #"{"text":"a","column":"todo"}"#, status: 415),
    Case(
      description: "body is too long", method: .POST, path: "/api/boards/b/items",
      body: String(repeating: " ", count: 20_000), status: 413),
    Case(
      description: "foreign origin writes", method: .POST, path: "/api/boards/b/items",
      headers: ["Origin": "http://elsewhere.example"], body: #"{"text":"a","column":"todo"}"#,
      status: 403),
    Case(
      description: "foreign origin watches", method: .GET, path: "/api/boards/b/events",
      headers: ["Origin": "http://elsewhere.example"], status: 403),
    Case(
      description: "null origin", method: .DELETE, path: "/api/boards/b/items/none",
      headers: ["Origin": "null"], status: 403),
    Case(description: "removes no board", method: .DELETE, path: "/api/boards/none", status: 404),
    Case(description: "puts a board", method: .PUT, path: "/api/boards/b", body: "{}", status: 405),
    Case(description: "posts to the page", method: .POST, path: "/", body: "{}", status: 405),
    Case(description: "metrics for readers", method: .GET, path: "/metrics", status: 404),
    Case(
      description: "same host, other port", method: .POST, path: "/api/boards",
      headers: ["Origin": "http://127.0.0.1:1"], body: #"{"id":"c","title":"t"}"#, status: 403),
  ]

  @Test("Bad input gets a clear error", arguments: cases)
  func refused(_ bad: Case) async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let response = try await service.request(
        bad.method, bad.path, headers: bad.headers, json: bad.body)
      #expect(response.status == bad.status)
      #expect(response["error"].map { !$0.isEmpty } == true, "\(response.text)")
      #expect(try await service.request(.GET, "/api/boards/b").status == 200)
    }
  }

  @Test(
    "A request that can be read in two ways is refused",
    arguments: [
      ("GET /api/boards HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
      (
        """
        POST /api/boards HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Transfer-Encoding: x\r
        \r
        {}
        """, 400
      ),
      ("GET / HTTP/1.1\nHost: 127.0.0.1\n\n", 400),
      ("nonsense\r\n\r\n", 400),
    ])
  func ambiguous(request: String, status: Int) async throws {
    try await RunningService.with { service in
      let answer = try await service.answer(to: request)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    }
  }

  @Test("The own origin may write and watch")
  func ownOrigin() async throws {
    try await RunningService.with { service in
      try await service.makeBoard()
      let origin = ["Origin": "http://127.0.0.1"]
      let response = try await service.request(
        .POST, "/api/boards/b/items", headers: origin, json: #"{"text":"a","column":"todo"}"#)
      #expect(response.status == 201)
      var stream = try await service.stream(headers: origin)
      #expect(try await stream.next()?.name == "snapshot")
    }
  }

  @Test("One event stream more than an address may have is refused, until one has gone")
  func streams() async throws {
    try await RunningService.with(options: { $0.streamsPerAddress = 2 }) { service in
      try await service.makeBoard()
      var streams: [TestStream] = []
      for _ in 0..<2 {
        var stream = try await service.stream()
        _ = try await stream.events(upTo: "live")
        streams.append(stream)
      }
      let refused = try await service.request(.GET, "/api/boards/b/events")
      #expect(refused.status == 429)
      #expect(refused["error"]?.contains("2 event streams") == true)
      #expect(refused.headers["Retry-After"] == ["5"])
      streams.removeLast().connection.close()
      try await until { service.metric("liveboard_streams") == 1 }
      var next = try await service.stream()
      #expect(try await next.next()?.name == "snapshot")
    }
  }

  @Test("Thousands of connections from one address get an error or are closed, and harm no other")
  func flood() async throws {
    // Both ends of a connection are in this process.
    let count = min(2_000, (LiveBoard.raiseFileLimit() - 200) / 2)
    try await RunningService.with(options: { $0.connectionsPerAddress = 50 }) { service in
      try await service.makeBoard()
      var watching = try await service.stream()
      _ = try await watching.events(upTo: "live")
      let writer = try await TestConnection.open(service.port)
      var held: [TestConnection] = []
      while service.metric("liveboard_requests_refused_total") == 0 {
        held.append(try await TestConnection.open(service.port))
      }
      // Connections get their places on several threads; one that comes behind a refused one finds none.
      let first = try await TestConnection.open(service.port)
      held.append(first)
      try await first.send(.GET, "/health")
      let refused = try await first.response()
      #expect(refused.status == 429)
      #expect(refused["error"]?.contains("50 connections") == true)
      for _ in 0..<count { held.append(try await TestConnection.open(service.port)) }
      // A stream and a writer that were there before go on, and so does another address.
      try await writer.send(
        .POST, "/api/boards/b/items", headers: ["Content-Type": "application/json"],
        body: #"{"text":"during","column":"todo"}"#)
      #expect(try await watching.next()?.texts == ["during"])
      try await until { service.metric("liveboard_requests_refused_total") >= count }
      for connection in held { connection.close() }
      try await until { (try? await service.request(.GET, "/health").status) == 200 }
    }
  }
}
