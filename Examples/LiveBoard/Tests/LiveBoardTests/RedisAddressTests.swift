import Foundation
import NIOPosix
import Testing

@testable import LiveBoard

struct RedisAddressTests {
  @Test("The parts of an address")
  func parts() throws {
    let whole = try RedisAddress("redis://ann:s%2Fe%40%3Ac@redis.example:7000/3")
    #expect(whole.host == "redis.example")
    #expect(whole.port == 7_000)
    #expect(whole.database == 3)
    #expect(whole.user == "ann")
    #expect(whole.password == "s/e@:c")
    let least = try RedisAddress("redis://localhost")
    #expect(least.port == 6_379)
    #expect(least.database == 0)
    #expect(least.user == nil)
    #expect(least.password == nil)
    #expect(try RedisAddress("redis://:secret@h").password == "secret")
    #expect(try RedisAddress("redis://:secret@h").user == nil)
    #expect(try RedisAddress("redis://:a:b@c@h").password == "a:b@c")
    #expect(try RedisAddress("redis://ann@h/").user == "ann")
    #expect(try RedisAddress("redis://[::1]:7000/0").host == "::1")
    #expect(try RedisAddress("redis://[fe80::1%25eth0]").port == 6_379)
    #expect(try RedisAddress("redis://127.0.0.1:6379/15").database == 15)
  }

  @Test(
    "What is no address is an error of one line that says what to pass, and shows no secret",
    arguments: [
      "secret:7000", "redis://", "redis://:7", "redis://a:secret", "redis://a:0", "redis://a:+80",
      "redis://a:65536", "redis://a:", "redis://:secret@", "redis://:secret@:7", "redis://::1:7",
      "redis://:secret@::1", "redis://[::1", "redis://[secret]", "redis://[::1]7",
      "redis://a/secret", "redis://a/-1", "redis://a/0/secret", "redis://a/0?password=secret",
      "redis://a#secret",
      "redis://:sec/ret@a", "redis://:secret%@a", "redis://:secret%FF@a", "redis://se cret",
      "redis://a/99999999999999999999", "http://:secret@a", "unix:///secret", "",
    ])
  func malformed(url: String) {
    let error = #expect(throws: Options.UsageError.self) { try RedisAddress(url) }
    let text = error?.description ?? ""
    #expect(text.hasPrefix("--redis: "))
    #expect(text.contains(RedisAddress.form))
    #expect(!text.contains("\n"))
    #expect(!text.contains("secret") && !text.contains("sec/") && !text.contains("se c"))
  }

  @Test("TLS is refused, and the error says what to do")
  func tls() {
    let error = #expect(throws: Options.UsageError.self) {
      try RedisAddress("rediss://ann:secret@redis.example:7000")
    }
    let text = error?.description ?? ""
    #expect(text.contains("TLS") && text.contains("stunnel"))
    #expect(!text.contains("secret") && !text.contains("\n"))
  }

  @Test("A description has no secret")
  func description() throws {
    let address = try RedisAddress("redis://ann:secret@[::1]:7000/3")
    #expect("\(address)" == "redis://[::1]:7000/3")
    #expect(String(reflecting: address) == "redis://[::1]:7000/3")
  }

  @Test("A service does not start with such an address")
  func start() {
    var options = Options()
    options.redis = "redis://ann:secret@redis.example:port"
    let folder = TemporaryFolder()
    options.database = folder.path("board.sqlite")
    #expect(throws: Options.UsageError.self) {
      _ = try BoardService(options: options, logger: LogLines().logger)
    }
  }
}

@Suite(
  .timeLimit(.minutes(30)), .serialized,
  .enabled(if: RedisServer.isInstalled, Comment(rawValue: RedisServer.message)))
struct RedisAccountTests {
  private func send(_ url: String, _ command: [String]) async throws -> RESP {
    let client = RedisClient(
      try RedisAddress(url), on: MultiThreadedEventLoopGroup.singleton)
    return try await client.send(command)
  }

  @Test("A password, a user and a database, on the connection for writes and on the one that waits")
  func account() async throws {
    let redis = try await RedisServer.start(password: "secret")
    try await redis.command("ACL", "SETUSER", "ann", "on", ">s/e@:c %", "~liveboard:*", "+@all")
    let ann = redis.url("ann:s%2Fe%40%3Ac%20%25", database: 3)
    #expect(try await send(ann, ["ACL", "WHOAMI"]) == .string("ann"))
    try await RunningService.with(options: { $0.redis = ann }) { one in
      try await RunningService.with(options: { $0.redis = redis.url(":secret", database: 3) }) {
        other in
        try await one.makeBoard()
        var stream = try await other.stream()
        _ = try await stream.events(upTo: "live")
        _ = try await one.add("one")
        let next = try await stream.next()
        #expect(next?.texts == ["one"])
      }
    }
    #expect(try await redis.command("KEYS", "*") == .array([]))
    try await redis.command("SELECT", "3")
    #expect(try await redis.command("EXISTS", RedisLog.boards) == .integer(1))
  }

  @Test("A user without a password")
  func nopass() async throws {
    let redis = try await RedisServer.start(password: "secret")
    try await redis.command("ACL", "SETUSER", "bob", "on", "nopass", "~*", "+@all")
    #expect(try await send(redis.url("bob"), ["ACL", "WHOAMI"]) == .string("bob"))
  }

  @Test(
    "An account or a database that Redis refuses is told in plain words, without the secret",
    arguments: [
      (":secret1", 0, "(WRONGPASS)"), ("eve:secret1", 0, "(WRONGPASS)"), ("", 0, "(NOAUTH)"),
      ("bob:secret2", 0, "NOPERM"), (":secret", 99, "database 99"),
    ])
  func refused(account: String, database: Int, told: String) async throws {
    let redis = try await RedisServer.start(password: "secret")
    try await redis.command("ACL", "SETUSER", "bob", "on", ">secret2", "~*", "+get")
    let lines = LogLines()
    let folder = TemporaryFolder()
    let feed = RedisFeed(
      store: try Store(path: folder.path("board.sqlite"), isReplica: true),
      address: try RedisAddress(redis.url(account, database: database)),
      on: MultiThreadedEventLoopGroup.singleton, logger: lines.logger, didSkip: {})
    let error = await #expect(throws: BoardError.self) {
      try await feed.create(Board(id: "b", title: "B"))
    }
    #expect(error?.status == .serviceUnavailable)
    #expect(error?.text.contains("nothing was written") == true)
    #expect(lines.all.contains { $0.contains("--redis") && $0.contains(told) })
    #expect(!lines.all.contains { $0.contains("secret") })
    await #expect(throws: RedisError.self) { try await feed.check() }
  }

  @Test("A Redis that repeats what it was sent does not put the secret into an error")
  func repeated() async throws {
    // Such as one whose AUTH has another name: it shows what it does not know.
    let redis = try await RedisServer.start(arguments: ["--rename-command", "AUTH", ""])
    let error = await #expect(throws: RedisError.self) {
      _ = try await send(redis.url("ann:secret"), ["PING"])
    }
    #expect(error.map { "\($0)".contains("secret") } == false)
  }

  @Test("A check passes while Redis takes changes, and fails otherwise")
  func check() async throws {
    let redis = try await RedisServer.start()
    let folder = TemporaryFolder()
    let feed = try redis.feed(in: folder, logger: LogLines().logger)
    try await feed.check()
    try await redis.command("CONFIG", "SET", "maxmemory", "1")
    await #expect(throws: RedisError.self) { try await feed.check() }
    try await redis.command("CONFIG", "SET", "maxmemory", "0")
    try await feed.check()
    try await redis.command("CLIENT", "PAUSE", "60000", "WRITE")
    // In less than the connection's own time, which it leaves to the others.
    await #expect(throws: RedisError.timeout) { try await feed.check() }
    try await redis.command("CLIENT", "UNPAUSE")
    try await feed.check()
    redis.kill()
    await #expect(throws: RedisError.self) { try await feed.check() }
  }
}
