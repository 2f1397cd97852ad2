import Foundation

/// The service, as a process with a new database, and what it uses.
struct ServiceProcess {
  let port: Int
  private let process: Process
  private let folder: URL

  struct StartError: Error, CustomStringConvertible {
    let description: String
  }

  init(program: String, options: [String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "liveboard-load-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let log = folder.appending(path: "service.log")
    try Data().write(to: log)
    process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments =
      ["--port", "0", "--database", folder.appending(path: "board.sqlite").path] + options
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    // "LiveBoard is at http://127.0.0.1:PORT"
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = line.split(separator: ":").last.flatMap({ Int($0.prefix { $0.isNumber }) })
    else {
      let reason = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      throw StartError(description: "\(program) did not start.\n\(reason)")
    }
    self.port = port
  }

  /// The resident memory, in mebibytes.
  var memory: Double {
    let field = text(of: "status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return (field?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1_024
  }

  /// The seconds of processor time used so far.
  var processorTime: Double {
    // Behind the name, which stands in parentheses: the 12th and 13th field, in hundredths of a second.
    let fields = text(of: "stat").split(separator: ")").last?.split(separator: " ") ?? []
    return fields.dropFirst(11).prefix(2).compactMap { Double($0) }.reduce(0, +) / 100
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  private func text(of file: String) -> String {
    (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/\(file)", encoding: .utf8))
      ?? ""
  }
}
