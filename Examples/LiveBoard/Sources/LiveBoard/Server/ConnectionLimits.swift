import Logging
import NIOCore

/// The limits of connections: in all, and for each address.
///
/// A connection beyond them gets 429 for its first request. Until it asks, it has a place of its own, so that it takes
/// none of the others; when these are taken too, it is closed at once.
struct ConnectionLimits: Sendable {
  /// The files that the service needs beside its connections: the database, the log, its threads.
  private static let reserve = 64 + 4 * System.coreCount
  /// The connections that are refused and have not asked yet.
  private static let mostRefused = 64

  enum Place {
    case open([CountLimit.Place])
    /// The answer to the first request.
    case refused(CountLimit.Place, text: String)
    case closed
  }

  /// The boards that can be watched: with Redis each has a connection of its own.
  let watched: Int
  private let all: CountLimit
  private let ofAddress: CountLimit
  private let refused = CountLimit(Self.mostRefused)

  /// Creates the limits, which stay below the files that the system allows.
  ///
  /// - Throws: ``StartError`` if it allows so few that there is no room for connections.
  init(
    _ options: Options, files: Int, logger: Logger
  ) throws(StartError) {
    watched = options.redis == nil ? .max : min(Limits.boards, files / 4)
    let most = files - Self.reserve - Self.mostRefused - (options.redis == nil ? 0 : watched)
    guard most >= 16 else {
      throw StartError(
        """
        The system allows \(files) open files, which leaves no room for connections. Raise that with \
        ulimit -n.
        """)
    }
    let count = min(options.connections ?? most, most)
    if count < options.connections ?? 1_000 {
      logger.notice(
        """
        The system allows \(files) open files, so there are \(count) connections at most. Raise that \
        with ulimit -n, or pass a smaller --connections.
        """)
    }
    all = CountLimit(count)
    // So that no three addresses shut out all others.
    ofAddress = CountLimit(options.connectionsPerAddress ?? max(1, min(250, count / 4)))
  }

  /// Takes a place for a connection from an address.
  func place(for address: String) -> Place {
    let text: String
    if let own = ofAddress.place(for: address) {
      if let one = all.place() { return .open([own, one]) }
      text = "The service has \(all.limit) connections open, which is its limit. Come back later."
    } else {
      text =
        """
        This address has \(ofAddress.limit) connections open. Close some, or come back later.
        """
    }
    return refused.place().map { .refused($0, text: text) } ?? .closed
  }
}
