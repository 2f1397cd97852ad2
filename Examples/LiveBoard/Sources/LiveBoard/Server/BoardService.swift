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

  private let connections: ConnectionLimits

  /// Opens the database and puts the parts together.
  ///
  /// - Throws: ``StartError`` or ``Options/UsageError``, which say what to do.
  init(
    options: Options, logger: Logger, metrics: PrometheusText = PrometheusText(),
    files: Int = LiveBoard.raiseFileLimit(), clock: some Clock<Duration> = .continuous
  ) throws {
    self.options = options
    self.logger = logger
    self.metrics = metrics
    connections = try ConnectionLimits(options, files: files, logger: logger)
    let instruments = Instruments(factory: metrics)
    self.instruments = instruments
    let redis = try options.redis.map { try RedisAddress($0) }
    let store = try Store(
      path: options.database, isReplica: redis != nil, keeping: options.kept)
    if options.beginsEpochs { try store.beginEpochs() }
    let snapshots = SharedSnapshots(
      store: store, limit: options.snapshotMegabytes << 20,
      willMake: { instruments.snapshotsMade.increment() },
      didWithdraw: { instruments.snapshotsWithdrawn.increment() })
    boards = LiveBoards(
      store: store, feed: Self.feed(redis, options, store, instruments, logger), clock: clock,
      gathering: .milliseconds(options.gathering),
      isUnbounded: options.isUnbounded, logger: logger, snapshots: snapshots,
      mostWatched: connections.watched,
      willReadHistory: { instruments.historyReads.increment() }
    ) { _ in BoardMetrics(instruments) }
  }

  private static func feed(
    _ redis: RedisAddress?, _ options: Options, _ store: Store, _ instruments: Instruments,
    _ logger: Logger
  ) -> any Feed {
    guard let redis else { return EmbeddedFeed(store: store) }
    return RedisFeed(
      store: store, address: redis, on: MultiThreadedEventLoopGroup.singleton,
      logger: logger, usedFor: max(1, options.emptyBoardHours) * 3_600 + 7_200,
      didSkip: { instruments.unreadable.increment() })
  }

  /// Runs until a signal, or the task is cancelled; the closure gets the port when the service takes connections.
  func run(
    signals: [UnixSignal] = [.sigterm, .sigint],
    isListening: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    try await group(signals: signals, isListening: isListening).run()
  }

  /// Returns the services, to be ended gracefully in this order: the event streams, and then the servers.
  ///
  /// The closures get the ports of the service and of its monitoring.
  func group(
    signals: [UnixSignal], isListening: @escaping @Sendable (Int) -> Void,
    isMonitored: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> ServiceGroup {
    var services: [any Service] = [server(isListening), EventStreamsService(boards: boards)]
    if let port = options.monitoringPort { services.insert(monitoring(port, isMonitored), at: 0) }
    if options.emptyBoardHours > 0 {
      services.append(
        UnusedBoards(
          boards: boards, time: .seconds(options.emptyBoardHours * 3_600),
          instruments: instruments, logger: logger))
    }
    // What fails is told once, by the one that runs the group.
    var quiet = logger
    quiet.logLevel = max(.critical, logger.logLevel)
    var configuration = ServiceGroupConfiguration(
      // The last one is ended first.
      services: services.map {
        .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
      },
      gracefulShutdownSignals: signals, logger: quiet)
    // A browser that does not read must not keep the service from its end.
    configuration.maximumGracefulShutdownDuration = .seconds(options.graceful)
    return ServiceGroup(configuration: configuration)
  }

  private var hosts: AllowedHosts {
    let own = options.host.contains(":") ? "[\(options.host)]" : options.host
    return AllowedHosts(options.allowedHosts + [own])
  }

  private func server(_ isListening: @escaping @Sendable (Int) -> Void) -> any Service {
    let routes = Routes(
      boards: boards, hosts: hosts, rates: RateLimits(options),
      streams: CountLimit(options.streamsPerAddress), reads: CountLimit(options.readsPerAddress),
      instruments: instruments,
      page: Page(folder: options.page), logger: logger)
    let (connections, instruments) = (connections, instruments)
    let (host, limit, logger) = (options.host, options.stalled, logger)
    let application = Application(
      router: routes.router(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [
            ConnectionHandler(limits: connections, instruments: instruments),
            WriteDeadlineHandler(.seconds(Int64(limit))) { address in
              instruments.stalled.increment()
              logger.notice("\(address) has taken nothing for \(limit) s, and is closed.")
            },
          ], idleTimeout: .seconds(60))),
      configuration: .init(
        address: .hostname(options.host, port: options.port), serverName: "LiveBoard",
        backlog: 1_024),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        // Not by `print`, which keeps the line from a program that reads it.
        FileHandle.standardOutput.write(Data("LiveBoard is at http://\(host):\(port)\n".utf8))
        isListening(port)
      },
      logger: logger)
    return ListeningService(application, host: host, port: options.port, option: "--port")
  }

  private func monitoring(
    _ port: Int, _ isMonitored: @escaping @Sendable (Int) -> Void
  ) -> any Service {
    let (host, logger) = (options.host, logger)
    let application = Application(
      router: Monitoring(
        boards: boards, hosts: hosts, instruments: instruments, metrics: metrics, logger: logger
      ).router(),
      // A machine asks and goes; what is idle must not shut out others.
      server: .http1(configuration: .init(idleTimeout: .seconds(5))),
      configuration: .init(
        address: .hostname(host, port: port), serverName: "LiveBoard",
        availableConnectionsDelegate: .maximum(32, logger: logger)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? 0
        logger.info("The metrics are at http://\(host):\(port)/metrics.")
        isMonitored(port)
      },
      logger: logger)
    return ListeningService(application, host: host, port: port, option: "--monitoring-port")
  }
}

/// A server whose error at the start says what to do.
struct ListeningService: Service {
  private let server: any Service
  private let host: String
  private let port: Int
  private let option: String

  init(_ server: any Service, host: String, port: Int, option: String) {
    self.server = server
    self.host = host
    self.port = port
    self.option = option
  }

  func run() async throws {
    do { try await server.run() } catch let error where !(error is CancellationError) {
      throw StartError(host: host, port: port, option: option, error)
    }
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
