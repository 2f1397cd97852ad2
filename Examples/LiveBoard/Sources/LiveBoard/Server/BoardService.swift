import Fanout
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The whole service: the parts, put together.
struct BoardService: Sendable {
  let options: Options
  let logger: Logger
  let metrics: PrometheusText
  let instruments: Instruments
  let boards: LiveBoards

  init(
    options: Options, logger: Logger, metrics: PrometheusText = PrometheusText(),
    clock: some Clock<Duration> = .continuous
  ) throws {
    self.options = options
    self.logger = logger
    self.metrics = metrics
    let instruments = Instruments(factory: metrics)
    self.instruments = instruments
    let store = try Store(
      path: options.database, isReplica: options.redis != nil, keeping: options.kept)
    boards = LiveBoards(
      store: store, feed: try Self.feed(options, store, instruments, logger), clock: clock,
      gathering: .milliseconds(options.gathering),
      isUnbounded: options.isUnbounded, logger: logger,
      willReadHistory: { instruments.historyReads.increment() },
      willMakeSnapshot: { instruments.snapshotsMade.increment() }
    ) { _ in BoardMetrics(instruments) }
  }

  private static func feed(
    _ options: Options, _ store: Store, _ instruments: Instruments, _ logger: Logger
  ) throws -> any Feed {
    guard let url = options.redis else { return EmbeddedFeed(store: store) }
    guard let address = RedisAddress(url) else {
      throw Options.UsageError(description: "--redis \(url): pass redis://HOST:PORT.")
    }
    return RedisFeed(
      store: store, address: address, on: MultiThreadedEventLoopGroup.singleton, logger: logger,
      didSkip: { instruments.unreadable.increment() })
  }

  /// Runs until a signal, or the task is cancelled; the closure gets the port when the service takes connections.
  func run(
    signals: [UnixSignal] = [.sigterm, .sigint],
    isListening: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    try await group(signals: signals, isListening: isListening).run()
  }

  /// Returns the services, to be ended gracefully in this order: the event streams, and then the server.
  func group(
    signals: [UnixSignal], isListening: @escaping @Sendable (Int) -> Void
  ) -> ServiceGroup {
    var configuration = ServiceGroupConfiguration(
      // The last one is ended first.
      services: [server(isListening), EventStreamsService(boards: boards)].map {
        .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
      },
      gracefulShutdownSignals: signals, logger: logger)
    // A browser that does not read must not keep the service from its end.
    configuration.maximumGracefulShutdownDuration = .seconds(options.graceful)
    return ServiceGroup(configuration: configuration)
  }

  private func server(_ isListening: @escaping @Sendable (Int) -> Void) -> any Service {
    let own = options.host.contains(":") ? "[\(options.host)]" : options.host
    let routes = Routes(
      boards: boards, hosts: AllowedHosts(options.allowedHosts + [own]),
      streams: AddressLimit(options.streamsPerAddress), instruments: instruments,
      metrics: metrics, page: Page(folder: options.page), logger: logger)
    let connections = AddressLimit(options.connectionsPerAddress)
    let (refused, stalled) = (instruments.refused, instruments.stalled)
    let (host, limit, logger) = (options.host, options.stalled, logger)
    return Application(
      router: routes.router(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [
            ConnectionHandler(limit: connections, keepAlive: .seconds(15)) { refused.increment() },
            WriteDeadlineHandler(.seconds(Int64(limit))) { address in
              stalled.increment()
              logger.notice("\(address) has taken nothing for \(limit) s, and is closed.")
            },
          ], idleTimeout: .seconds(60))),
      configuration: .init(
        address: .hostname(options.host, port: options.port), serverName: "LiveBoard",
        backlog: 1_024,
        availableConnectionsDelegate: MaximumAvailableConnections(
          options.connections, logger: logger)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        // Not by `print`, which keeps the line from a program that reads it.
        FileHandle.standardOutput.write(Data("LiveBoard is at http://\(host):\(port)\n".utf8))
        isListening(port)
      },
      logger: logger)
  }
}

/// Ends the event streams when the service is to end: what waits is written, then `end`.
struct EventStreamsService: Service {
  let boards: LiveBoards

  func run() async throws {
    try await gracefulShutdown()
    boards.close()
  }
}
