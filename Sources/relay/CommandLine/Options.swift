/// The options of the command line.
struct Options: Equatable {
  /// The file to play; `nil` is the sample.
  var path: String?
  /// The folder for the frames of each viewer.
  var output: String?
  var verifies = false
  /// Whether a viewer that reads too slowly is shown, under each backlog.
  var showsSlowViewer = false
  var showsHelp = false

  init() {}

  init(arguments: [String]) throws(RelayError) {
    var rest = arguments[...]
    var takesOptions = true
    while let argument = rest.popFirst() {
      guard takesOptions, argument.hasPrefix("-") else {
        try name(argument)
        continue
      }
      switch argument {
      case "--": takesOptions = false
      case "--help", "-h": showsHelp = true
      case "--slow-viewer": showsSlowViewer = true
      case "--verify": verifies = true
      case "--output": output = try Self.folder(rest.popFirst())
      case _ where argument.hasPrefix("--output="):
        output = try Self.folder(String(argument.dropFirst("--output=".count)))
      default: throw .usage("there is no option \(argument)")
      }
    }
  }

  private mutating func name(_ argument: String) throws(RelayError) {
    if let path { throw .usage("one file at a time, not \(path) and \(argument)") }
    path = argument
  }

  private static func folder(_ argument: String?) throws(RelayError) -> String {
    // An option in this place means a forgotten name; a folder of such a name can be written as
    // ./--name.
    guard let argument, !argument.isEmpty, !argument.hasPrefix("-") else {
      throw .usage("--output needs the name of a folder")
    }
    return argument
  }
}
