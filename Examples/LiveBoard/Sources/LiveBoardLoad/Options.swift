/// The options of the command line.
struct Options: Sendable {
  var service = ""
  var streams = 1_000
  var boards = 20
  var changes = 200
  var stalled = 10
  var seconds = 60
  var items = 50
  var text = 60
  var writers = 8
  /// Further options of the service.
  var passed: [String] = []

  static let help = """
    usage: LiveBoardLoad [options] [-- options of the service]

      --service PATH    the program of the service (LiveBoard beside this one)
      --streams N       event streams (1000)
      --boards N        boards, on which the streams are spread evenly (20)
      --changes N       changes a second, of all boards (200)
      --stalled N       event streams among them that don't read (10)
      --seconds N       how long to measure (60)
      --items N         items of each board, which are changed in turn (50)
      --text N          characters of an item (60)
      --writers N       connections that write (8)
    """

  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String]) throws(UsageError) {
    var arguments = arguments[...]
    while let name = arguments.popFirst() {
      if name == "--" {
        passed = Array(arguments)
        return
      }
      guard let value = arguments.popFirst() else {
        throw UsageError(description: "\(name) needs a value.\n\n\(Self.help)")
      }
      if name == "--service" {
        service = value
        continue
      }
      guard let path = Self.numbers[name] else {
        throw UsageError(description: "There is no option \(name).\n\n\(Self.help)")
      }
      guard let number = Int(value), number >= (name == "--stalled" ? 0 : 1) else {
        throw UsageError(description: "\(name) \(value): pass a number.")
      }
      self[keyPath: path] = number
    }
  }

  private static var numbers: [String: WritableKeyPath<Options, Int>] {
    [
      "--streams": \.streams, "--boards": \.boards, "--changes": \.changes,
      "--stalled": \.stalled, "--seconds": \.seconds, "--items": \.items, "--text": \.text,
      "--writers": \.writers,
    ]
  }
}
