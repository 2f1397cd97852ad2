import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// The command: starts the service, watches boards with many event streams, writes at a steady rate, and says how late
/// the changes arrive and what memory the service uses.
@main
struct LiveBoardLoad {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") { return print(Options.help) }
    var options: Options
    do { options = try Options(arguments) } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(64)
    }
    if options.service.isEmpty {
      let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      options.service = folder.appending(path: "LiveBoard").path
    }
    raiseFileLimit()
    let limit = "\(options.streams + options.writers + 100)"
    let service = try ServiceProcess(
      program: options.service,
      options: [
        "--streams-per-address", limit, "--connections-per-address", limit,
        "--requests-per-address", "0", "--writes-per-address", "0",
      ] + options.passed)
    defer { service.end() }
    let passes = try await Run(options: options, service: service).measure()
    if !passes {
      service.end()
      exit(1)
    }
  }

  private static func raiseFileLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
