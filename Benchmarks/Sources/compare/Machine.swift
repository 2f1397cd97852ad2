import Foundation

/// What the measurements were made with.
enum Machine {
  static var processor: String {
    let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
    let name = model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
    return name ?? "unknown processor"
  }

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
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swift", "--version"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return "unknown toolchain" }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let name = text.split(whereSeparator: { $0 == "(" || $0 == "\n" }).first
    return name.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown toolchain"
  }
}
