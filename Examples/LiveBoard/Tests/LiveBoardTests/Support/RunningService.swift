import Fanout
import Foundation
import Logging
import ServiceLifecycle

@testable import LiveBoard

/// A service on a free port, with a database of its own.
final class RunningService: Sendable {
  let port: Int
  /// The port of the metrics, if the options ask for one.
  let monitoringPort: Int?
  let service: BoardService
  private let group: ServiceGroup
  private let task: Task<Void, any Error>

  private init(
    _ port: Int, _ monitoringPort: Int?, service: BoardService, group: ServiceGroup,
    task: Task<Void, any Error>
  ) {
    self.port = port
    self.monitoringPort = monitoringPort
    self.service = service
    self.group = group
    self.task = task
  }

  static func start(
    _ options: Options, clock: some Clock<Duration> = .continuous
  ) async throws -> RunningService {
    var logger = Logger(label: "tests")
    logger.logLevel = .critical
    let service = try BoardService(
      options: options, logger: logger, clock: clock)
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let (monitoringPorts, foundMonitoring) = AsyncStream.makeStream(of: Int.self)
    let group = service.group(
      signals: [], isListening: { found.yield($0) }, isMonitored: { foundMonitoring.yield($0) })
    let task = Task {
      defer {
        found.finish()
        foundMonitoring.finish()
      }
      try await group.run()
    }
    var monitoringPort: Int?
    if options.monitoringPort != nil {
      monitoringPort = await monitoringPorts.first { _ in true }
    }
    guard let port = await ports.first(where: { _ in true }) else {
      try await task.value
      throw CancellationError()
    }
    return RunningService(port, monitoringPort, service: service, group: group, task: task)
  }

  /// Ends the service gracefully, and waits for its end.
  func stop() async throws {
    await group.triggerGracefulShutdown()
    try await task.value
  }

  /// Begins to end the service gracefully.
  func beginStopping() async { await group.triggerGracefulShutdown() }

  /// Runs a test with a service, and ends that.
  static func with(
    options change: (inout Options) -> Void = { _ in }, clock: some Clock<Duration> = .continuous,
    _ body: (RunningService) async throws -> Void
  ) async throws {
    let folder = TemporaryFolder()
    var options = Options()
    options.port = 0
    options.database = folder.path("board.sqlite")
    options.gathering = 0
    options.graceful = 5
    change(&options)
    let running = try await start(options, clock: clock)
    do { try await body(running) } catch {
      try? await running.stop()
      throw error
    }
    try await running.stop()
    withExtendedLifetime(folder) {}
  }

  /// The value of a metric.
  func metric(_ name: String) -> Int {
    let line = service.metrics.text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }
    return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? -1
  }
}

/// A folder that is removed with this object.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("liveboard-\(UInt64.random(in: 0 ... .max))")

  init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

/// Waits until something in another thread is so; the time limit of the test ends it.
func until(_ condition: () async throws -> Bool) async throws {
  while try await !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
