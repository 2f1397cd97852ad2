/// The options of the command line.
struct Options: Sendable {
  var host = "127.0.0.1"
  var port = 8080
  /// Names of the service beside those of this device and the address to which a browser connects.
  var allowedHosts: [String] = []
  var database = ".liveboard/board.sqlite"
  var redis: String?
  /// A folder to serve the page from, in place of the files inside the program.
  var page: String?
  var streamsPerAddress = 100
  /// The boards that one address reads at the same time.
  var readsPerAddress = 16
  /// The connections of one address, or nil for 250, and a quarter of all at most.
  var connectionsPerAddress: Int?
  /// The connections of all, or nil for as many as the system allows files.
  var connections: Int?
  /// The requests of one address in a second; 0 for no limit, as in the two below.
  var requestsPerAddress = 100
  /// The writes of one address in a second.
  var writesPerAddress = 20
  /// The boards that one address may make in an hour.
  var boardsPerAddress = 60
  /// The mebibytes that the snapshots in memory have in all.
  var snapshotMegabytes = 64
  /// The hours after which a board goes that is empty and not watched; 0 for never.
  var emptyBoardHours = 24
  /// The port of the metrics and of readiness, or nil for none.
  var monitoringPort: Int?
  /// Whether each board begins a new epoch at the start, because the database is an old one that was put back.
  var beginsEpochs = false
  /// The milliseconds between two batches of one board.
  var gathering = 20
  /// The number of changes that the log of a board keeps.
  var kept = 10_000
  /// Whether everything waits for an event stream that does not take it: to measure what that costs.
  var isUnbounded = false
  /// The seconds after which a connection is closed whose socket takes nothing of what waits for it.
  var stalled = 30
  /// The seconds that event streams have to take what waits for them when the service ends.
  var graceful = 10

  static let help = """
    usage: LiveBoard [options]

      --host NAME                   the address to listen on (127.0.0.1)
      --port NUMBER                 the port, or 0 for any (8080)
      --allow-host NAME             a further name of the service, for any port; can be repeated
      --database PATH               the database, made if there is none (.liveboard/board.sqlite)
      --redis redis://[USER][:PASSWORD]@HOST[:PORT][/DATABASE]
                                    carries the changes through Redis Streams, for several processes
      --page FOLDER                 serves the page from a folder
      --streams-per-address N       event streams of one address (100)
      --reads-per-address N         boards that one address reads at the same time (16)
      --connections-per-address N   connections of one address (250, at most a quarter of all)
      --connections N               connections of all (the files that the system allows, less 128)
      --requests-per-address N      requests of one address in a second, 0 for no limit (100)
      --writes-per-address N        changes of one address in a second, 0 for no limit (20)
      --boards-per-address N        boards that one address makes in an hour, 0 for no limit (60)
      --snapshot-megabytes N        memory for the snapshots that are being sent (64)
      --empty-board-hours N         removes a board that is empty and not watched for N hours; 0: never (24)
      --monitoring-port NUMBER      a port for /metrics, /ready and /health; none without this
      --new-epoch yes               once, after a backup was restored: browsers that have seen more
                                    than the backup has are told, and get the state
      --gathering MILLISECONDS      the least time between two batches of a board (20)
      --kept N                      changes that the log of a board keeps (10000)
      --unbounded yes               lets everything wait for a slow stream, to measure what that costs
      --stalled SECONDS             closes a connection whose socket takes nothing for so long (30)
      --graceful SECONDS            the time for open event streams at the end (10)
    """

  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  init() {}

  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var arguments = Array(arguments)[...]
    while let name = arguments.popFirst() {
      guard let value = arguments.popFirst() else {
        throw UsageError(description: "\(name) needs a value.\n\n\(Self.help)")
      }
      switch name {
      case "--host": host = value
      case "--port": port = try Self.number(value, name, 0...65_535)
      case "--allow-host": allowedHosts.append(try Self.host(value, name))
      case "--database": database = value
      case "--redis": redis = value
      case "--page": page = value
      case "--streams-per-address": streamsPerAddress = try Self.number(value, name)
      case "--reads-per-address": readsPerAddress = try Self.number(value, name)
      case "--connections-per-address": connectionsPerAddress = try Self.number(value, name)
      case "--connections": connections = try Self.number(value, name)
      case "--requests-per-address":
        requestsPerAddress = try Self.number(value, name, 0...1_000_000)
      case "--writes-per-address": writesPerAddress = try Self.number(value, name, 0...1_000_000)
      case "--boards-per-address": boardsPerAddress = try Self.number(value, name, 0...1_000_000)
      case "--snapshot-megabytes": snapshotMegabytes = try Self.number(value, name, 8...65_536)
      case "--empty-board-hours": emptyBoardHours = try Self.number(value, name, 0...100_000)
      case "--monitoring-port": monitoringPort = try Self.number(value, name, 0...65_535)
      case "--new-epoch": beginsEpochs = try Self.yes(value, name)
      case "--gathering": gathering = try Self.number(value, name, 0...1_000)
      case "--kept": kept = try Self.number(value, name)
      case "--unbounded": isUnbounded = try Self.yes(value, name)
      case "--stalled": stalled = try Self.number(value, name, 1...86_400)
      case "--graceful": graceful = try Self.number(value, name, 0...600)
      default: throw UsageError(description: "There is no option \(name).\n\n\(Self.help)")
      }
    }
    guard !beginsEpochs || redis == nil else {
      throw UsageError(
        description:
          """
          --new-epoch: with --redis the order is that of Redis, and a database that was put back catches up by \
          itself. Leave the option out.
          """)
    }
  }

  private static func yes(_ text: String, _ name: String) throws(UsageError) -> Bool {
    guard text == "yes" else {
      throw UsageError(description: "\(name) \(text): pass yes, or leave the option out.")
    }
    return true
  }

  private static func host(_ text: String, _ name: String) throws(UsageError) -> String {
    // With a port it would never match: any port is allowed.
    guard AllowedHosts.name(in: text) == text.lowercased() else {
      throw UsageError(
        description: "\(name) \(text): pass a name or an address without a port, such as [::1].")
    }
    return text
  }

  private static func number(
    _ text: String, _ name: String, _ range: ClosedRange<Int> = 1...1_000_000
  ) throws(UsageError) -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        description:
          "\(name) \(text): pass a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
