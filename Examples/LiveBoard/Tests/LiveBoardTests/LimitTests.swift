import HTTPTypes
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Synchronization
import Testing

@testable import LiveBoard

@Suite(.timeLimit(.minutes(30)))
struct LimitTests {
  private func limits(files: Int = 1_000) throws -> ConnectionLimits {
    var options = Options()
    options.connections = 40
    options.connectionsPerAddress = 4
    return try ConnectionLimits(options, files: files, logger: Logger(label: "tests"))
  }

  /// A connection as the service sees it.
  private func connection(_ limits: ConnectionLimits) throws -> EmbeddedChannel {
    let instruments = Instruments(factory: PrometheusText())
    let channel = EmbeddedChannel(
      handler: ConnectionHandler(limits: limits, instruments: instruments))
    channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1), promise: nil)
    return channel
  }

  private func head(_ method: HTTPRequest.Method = .get) -> HTTPRequestPart {
    .head(HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/"))
  }

  private func beginStream(_ channel: EmbeddedChannel) throws {
    try channel.writeInbound(head())
    try channel.writeInbound(HTTPRequestPart.end(nil))
    let fields: HTTPFields = [.contentType: "text/event-stream"]
    try channel.writeOutbound(
      HTTPResponsePart.head(HTTPResponse(status: .ok, headerFields: fields)))
    _ = try channel.readOutbound(as: HTTPResponsePart.self)
  }

  private func write(_ text: String, to channel: EmbeddedChannel) throws {
    try channel.writeOutbound(HTTPResponsePart.body(ByteBuffer(string: text)))
    _ = try channel.readOutbound(as: HTTPResponsePart.self)
  }

  @Test("An event stream is never silent for more than 15 seconds")
  func ping() throws {
    let channel = try connection(try limits())
    try beginStream(channel)
    try write("event: live\ndata: {}\n\n", to: channel)
    let loop = channel.embeddedEventLoop
    loop.advanceTime(by: .seconds(14))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    for seconds: Int64 in [1, 15, 15] {
      loop.advanceTime(by: .seconds(seconds))
      #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .body(ConnectionHandler.ping))
    }
    loop.advanceTime(by: .seconds(10))
    try write("event: change\ndata: {}\n\n", to: channel)
    loop.advanceTime(by: .seconds(14))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    // Never amid an event.
    try write("event: snapshot\ndata: ", to: channel)
    loop.advanceTime(by: .seconds(40))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    try write("{}\n\n", to: channel)
    loop.advanceTime(by: .seconds(15))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .body(ConnectionHandler.ping))
    #expect(String(buffer: ConnectionHandler.ping) == "event: ping\ndata: {}\n\n")
    _ = try channel.finish()
  }

  @Test("A request whose body comes at a byte in ten seconds ends after twenty")
  func slowBody() throws {
    let channel = try connection(try limits())
    try channel.writeInbound(head(.post))
    for _ in 0..<2 {
      #expect(channel.isActive)
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
      channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    }
    #expect(!channel.isActive)
    let quick = try connection(try limits())
    try quick.writeInbound(head(.post))
    try quick.writeInbound(HTTPRequestPart.end(nil))
    quick.embeddedEventLoop.advanceTime(by: .seconds(21))
    #expect(quick.isActive)
    _ = try quick.finish()
  }

  @Test("Connections have places in all and for each address; what is refused takes none of them")
  func connections() throws {
    let limits = try limits()
    var open: [ConnectionLimits.Place] = []
    func count(_ address: String, _ tries: Int) -> (open: Int, refused: Int, closed: Int) {
      var counts = (open: 0, refused: 0, closed: 0)
      for _ in 0..<tries {
        let place = limits.place(for: address)
        open.append(place)
        switch place {
        case .open: counts.open += 1
        case .refused: counts.refused += 1
        case .closed: counts.closed += 1
        }
      }
      return counts
    }
    #expect(count("a", 200) == (open: 4, refused: 64, closed: 132))
    for address in ["b", "c", "d"] { #expect(count(address, 4).open == 4) }
    open = []
    #expect(count("a", 5) == (open: 4, refused: 1, closed: 0))
  }

  @Test("Connections stay below the files that the system allows, less a reserve")
  func files() throws {
    var options = Options()
    options.connections = 1_000
    options.connectionsPerAddress = 1_000
    let limits = try ConnectionLimits(options, files: 400, logger: Logger(label: "tests"))
    let places = (0..<1_000).map { limits.place(for: "\($0)") }
    let held = places.filter { if case .closed = $0 { false } else { true } }
    #expect(held.count == 400 - 64 - 4 * System.coreCount)
    #expect(throws: StartError.self) {
      try ConnectionLimits(options, files: 100, logger: Logger(label: "tests"))
    }
  }

  @Test(
    "A network of IP version 6 is one address",
    arguments: [
      ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
      ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("::ffff:192.0.2.1", "192.0.2.1"),
      ("192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0::/64"),
    ])
  func network(address: String, client: String) throws {
    #expect(try SocketAddress(ipAddress: address, port: 1).client == client)
  }

  @Test("A rate allows a burst, then so many in a second, for each address alone")
  func rate() {
    let time = Mutex(ContinuousClock.now)
    let limit = RateLimit(2, in: .seconds(1), burst: 3) { time.withLock { $0 } }
    #expect((0..<4).map { _ in limit.wait(for: "a") } == [nil, nil, nil, 1])
    #expect(limit.wait(for: "b") == nil)
    time.withLock { $0 += .milliseconds(500) }
    #expect((0..<2).map { _ in limit.wait(for: "a") } == [nil, 1])
    time.withLock { $0 += .seconds(60) }
    #expect((0..<4).map { _ in limit.wait(for: "a") } == [nil, nil, nil, 1])
    let slow = RateLimit(1, in: .seconds(3_600), burst: 1) { time.withLock { $0 } }
    #expect([slow.wait(for: "a"), slow.wait(for: "a")] == [nil, 3_600])
    let none = RateLimit(0, in: .seconds(1), burst: 0)
    #expect(!(0..<1_000).contains { _ in none.wait(for: "a") != nil })
  }

  @Test("Addresses that have been quiet are forgotten")
  func addresses() {
    let time = Mutex(ContinuousClock.now)
    let limit = RateLimit(1, in: .seconds(1), burst: 2) { time.withLock { $0 } }
    for number in 0..<100_000 {
      time.withLock { $0 += .milliseconds(1) }
      _ = limit.wait(for: "\(number)")
    }
    #expect(limit.count < 5_000)
  }

  @Test("An address that asks too often is told to wait, and no other one is")
  func rates() async throws {
    try await RunningService.with(
      options: {
        $0.host = "0.0.0.0"
        $0.requestsPerAddress = 100
        $0.writesPerAddress = 1
        $0.boardsPerAddress = 2
      }
    ) { service in
      for id in ["a", "b"] { try await service.makeBoard(id) }
      let third = try await service.request(
        .POST, "/api/boards", json: #"{"id":"c","title":"c"}"#)
      #expect(third.status == 429)
      #expect(third.headers["Retry-After"].first.flatMap { Int($0) }.map { $0 > 1_700 } == true)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<60 {
          group.addTask {
            try await service.request(
              .POST, "/api/boards/a/items", json: #"{"text":"a","column":"todo"}"#
            ).status
          }
        }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(statuses == [201, 429])
      #expect(try await service.request(.GET, "/api/boards/a").status == 200)
      let other = try await TestConnection.open(service.port, at: "127.0.0.3")
      try await other.send(.GET, "/health", headers: ["Host": "127.0.0.3"])
      #expect(try await other.response().status == 200)
    }
  }

  @Test("An address that reads many boards and takes none is told to come back")
  func reads() async throws {
    try await RunningService.with(options: {
      $0.readsPerAddress = 2; $0.graceful = 1
    }) { service in
      try await service.makeBoard()
      let feed = service.service.boards.feed
      for _ in 0..<800 {
        let text = String(repeating: "x", count: 1_000)
        let item = Item(id: Item.makeID(), text: text, column: .todo, rank: 0)
        _ = try await feed.append(.add(item), isRanked: true, to: "b")
      }
      var deaf: [TestConnection] = []
      // A request of this test may have had the place of a deaf one.
      while try await service.request(.GET, "/api/boards/b").status != 429 {
        let connection = try await TestConnection.open(service.port)
        try await connection.channel.setOption(.autoRead, value: false).get()
        try await connection.send(.GET, "/api/boards/b")
        deaf.append(connection)
      }
      for connection in deaf { connection.close() }
      try await until { try await service.request(.GET, "/api/boards/b").status == 200 }
    }
  }
}
