import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// A cache of one core, or one that cores share.
struct Cache: Codable {
  /// The name, as "L1 data".
  let name: String
  let kilobytes: Int

  var size: String {
    kilobytes < 1024 ? "\(kilobytes) KB" : "\(Measurement.plain(Double(kilobytes) / 1024)) MB"
  }

  var text: String { "\(name) \(size)" }
}

/// The processor that the program runs on, as far as the system tells.
struct Processor {
  /// The name, and what tells it from others that have the same name.
  let name: String

  let caches: [Cache]

  /// The name of the file of its runs.
  var fileName: String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    return words.joined(separator: "-") + ".json"
  }
}

#if canImport(Darwin)
  extension Processor {
    static let current = Processor(
      name: text("machdep.cpu.brand_string") ?? "unknown processor",
      caches: [
        ("L1 data", "hw.l1dcachesize"), ("L1 instruction", "hw.l1icachesize"),
        ("L2", "hw.l2cachesize"), ("L3", "hw.l3cachesize"),
      ].compactMap { title, name in
        number(name).map { Cache(name: title, kilobytes: $0 / 1024) }
      })

    private static func text(_ name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func number(_ name: String) -> Int? {
      var number: Int64 = 0
      var size = MemoryLayout<Int64>.size
      guard sysctlbyname(name, &number, &size, nil, 0) == 0, number > 0 else { return nil }
      return Int(number)
    }
  }
#else
  extension Processor {
    static let current = Processor(
      name: name(from: file("/proc/cpuinfo") ?? ""),
      caches: caches(in: "/sys/devices/system/cpu/cpu0/cache"))

    /// The name from the text of `/proc/cpuinfo`, whose lines are others on x86 and on Arm.
    static func name(from facts: String) -> String {
      func fact(_ key: String) -> String? {
        let line = facts.split(separator: "\n").first {
          $0.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces) == key
        }
        return line?.split(separator: ":").dropFirst().first?
          .trimmingCharacters(in: .whitespaces)
      }
      let parts = [
        fact("model name"), fact("cpu family").map { "family \($0)" },
        fact("model").map { "model \($0)" }, fact("CPU implementer").map { "implementer \($0)" },
        fact("CPU part").map { "part \($0)" },
      ].compactMap { $0 }
      return parts.isEmpty ? "unknown processor" : parts.joined(separator: ", ")
    }

    private static func caches(in folder: String) -> [Cache] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.filter { $0.hasPrefix("index") }.sorted().compactMap { name in
        guard
          let level = file("\(folder)/\(name)/level"),
          let size = file("\(folder)/\(name)/size").flatMap({ Int($0.prefix { $0.isNumber }) })
        else { return nil }
        let type = (file("\(folder)/\(name)/type") ?? "").lowercased()
        let word = type == "unified" || type.isEmpty ? "" : " \(type)"
        return Cache(name: "L\(level)\(word)", kilobytes: size)
      }
    }

    private static func file(_ path: String) -> String? {
      (try? String(contentsOfFile: path, encoding: .utf8))?
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
#endif
