import CoreMetrics
import Foundation
import Logging

/// The command: reads the options, and runs the service.
@main
struct LiveBoard {
  static func main() async {
    if CommandLine.arguments.dropFirst().contains(where: { ["--help", "-h"].contains($0) }) {
      return print(Options.help)
    }
    let options: Options
    do { options = try Options(CommandLine.arguments.dropFirst()) } catch {
      end(64, error)
    }
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "LiveBoard")
    logger.logLevel =
      ProcessInfo.processInfo.environment["LOG_LEVEL"].flatMap { Logger.Level(rawValue: $0) }
      ?? .info
    let metrics = PrometheusText()
    MetricsSystem.bootstrap(metrics)
    do {
      try await BoardService(
        options: options, logger: logger, metrics: metrics
      ).run()
    } catch {
      end(1, error)
    }
  }

  private static func end(_ status: Int32, _ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(status)
  }

  #if canImport(Glibc)
    private static let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let files = RLIMIT_NOFILE
  #endif

  /// Allows as many files and sockets as the system lets this process have; returns their number.
  static func raiseFileLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0 else { return 256 }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(files, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}
