import Foundation

/// What the measurements were made with.
enum Machine {
  static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  static var system: String {
    #if os(Linux)
      "Linux"
    #else
      ProcessInfo.processInfo.operatingSystemVersionString
    #endif
  }

  /// What `swift --version` says, up to the first bracket.
  static var toolchain: String {
    let text = output("swift", "--version") ?? ""
    let name = text.split(whereSeparator: { $0 == "(" || $0 == "\n" }).first
    return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown toolchain"
  }

  /// The commit that is checked out, and whether a source differs from it.
  static var commit: String {
    let git = ["git", "-C", URL(filePath: #filePath).deletingLastPathComponent().path]
    guard let commit = output(git + ["rev-parse", "--short=12", "HEAD"]) else { return "unknown" }
    let sources = [":/Sources", ":/Benchmarks/Sources"]
    let changes = output(git + ["status", "--porcelain", "--"] + sources)
    return commit + (changes?.contains { !$0.isWhitespace } == true ? " with changes" : "")
  }

  /// How many programs want a processor, on average in the last minute.
  static var load: Double {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : 0
  }

  private static func output(_ command: String...) -> String? { output(command) }

  /// What a command prints, without spaces around it; nothing if it fails.
  private static func output(_ command: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
