import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization

@testable import LiveBoard

/// A Redis server of a test, which writes everything to its file before it answers.
final class RedisServer: Sendable {
  private let process = Mutex<pid_t?>(nil)
  private let folder = TemporaryFolder()
  let port: Int
  private let arguments: [String]
  let client: RedisClient

  /// An error of a server that has ended by itself, for instance because its port is taken.
  struct Ended: Error {
    let port: Int
  }

  /// An error of a start for which none of many ports was free.
  struct NoPort: Error {}

  /// The path of the program, or nil if it is not installed.
  static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/redis-server" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static let isInstalled = program != nil
  static let message = "needs redis-server: apt-get install redis-server"

  private init(port: Int, password: String?, arguments: [String]) throws {
    self.port = port
    self.arguments = arguments + (password.map { ["--requirepass", $0] } ?? [])
    let account = password.map { ":\($0)@" } ?? ""
    client = RedisClient(
      try RedisAddress("redis://\(account)127.0.0.1:\(port)"),
      on: MultiThreadedEventLoopGroup.singleton)
  }

  deinit { kill() }

  var url: String { "redis://127.0.0.1:\(port)" }

  /// Returns the address for an account, such as `user:password`, and a database.
  func url(_ account: String, database: Int = 0) -> String {
    "redis://\(account)@127.0.0.1:\(port)/\(database)"
  }

  /// Starts a server; a password may have letters and digits.
  static func start(
    password: String? = nil, arguments: [String] = []
  ) async throws -> RedisServer {
    // Below the ports that a system gives to those that ask for any, as the services of other tests do.
    for _ in 0..<20 {
      let port = Int.random(in: 20_000..<30_000)
      guard
        let probe = try? await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .bind(host: "127.0.0.1", port: port).get()
      else { continue }
      try await probe.close()
      let server = try RedisServer(port: port, password: password, arguments: arguments)
      do {
        try await server.restart()
        return server
      } catch is Ended {}
    }
    throw NoPort()
  }

  /// Starts the server, with what its file has.
  func restart() async throws {
    guard let program = Self.program else { throw CancellationError() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      [
        "--port", "\(port)", "--bind", "127.0.0.1", "--dir", folder.url.path, "--appendonly", "yes",
        "--appendfsync", "always", "--save", "", "--daemonize", "no",
      ] + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    self.process.withLock { $0 = process.processIdentifier }
    try await until {
      guard process.isRunning else { throw Ended(port: port) }
      return (try? await client.send(["PING"])) == .string("PONG")
    }
  }

  /// Ends the server at once, as a crash does.
  func kill() {
    let running = process.withLock { process in
      defer { process = nil }
      return process
    }
    if let running { Foundation.kill(running, SIGKILL) }
  }

  @discardableResult
  func command(_ command: String...) async throws -> RESP { try await client.send(command) }

  /// The number of scripts that were run since the statistics were last reset.
  func scripts() async throws -> Int {
    let text = try await command("INFO", "commandstats").text ?? ""
    let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("cmdstat_eval:") }
    return line.flatMap { Int($0.dropFirst("cmdstat_eval:calls=".count).prefix { $0 != "," }) } ?? 0
  }

  /// Returns an engine with a database of its own.
  func feed(in folder: TemporaryFolder, logger: Logger) throws -> RedisFeed {
    RedisFeed(
      store: try Store(path: folder.path("board.sqlite"), isReplica: true),
      address: try RedisAddress(url), on: MultiThreadedEventLoopGroup.singleton, logger: logger,
      didSkip: {})
  }

  /// Runs a test with two services, which have databases of their own.
  static func withTwo(
    _ body: (RedisServer, RunningService, RunningService) async throws -> Void
  ) async throws {
    let redis = try await start()
    try await RunningService.with(options: { $0.redis = redis.url }) { one in
      try await RunningService.with(options: { $0.redis = redis.url }) { other in
        try await body(redis, one, other)
      }
    }
  }
}
