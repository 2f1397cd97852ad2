import Foundation
import Workloads

/// The ratios that were measured on one processor: a file in `Benchmarks/Runs`.
struct RecordedRun: Codable {
  /// What a workload was beside others.
  struct Ratios: Codable {
    /// How many times as long as the floor Fanout took.
    var floor: Double?

    /// How many times as long as Fanout the peer took.
    var peer: Double?

    /// The locked instructions that a delivery took then.
    var locked: Double?
  }

  var processor: String
  var caches: [Cache]
  var costs: Costs

  /// The day of the run; nothing if nobody knows it.
  var date: String?

  /// The commit that was measured, or what is known of it.
  var commit: String

  /// What the file does not have; nothing if it has everything.
  var partial: String?

  var workloads: [String: Ratios]

  /// The few words that tell this run from others.
  var title: String {
    let cost = costs.lockedAfterLocked.map { ", \(Measurement.plain($0)) ns a locked instruction" }
    return processor + (cost ?? "")
  }

  /// The state that was measured, and what the file does not have.
  var state: String {
    let day = date.map { "\($0), " } ?? ""
    return day + "commit \(commit)" + (partial.map { "; partial: \($0)" } ?? "")
  }
}

extension RecordedRun {
  /// The file of a run, with one line for each workload in the order of the table.
  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func line(_ key: String, _ value: some Encodable) throws -> String {
      "  \"\(key)\": " + String(decoding: try encoder.encode(value), as: UTF8.self)
    }
    var lines = try [
      line("processor", processor), line("caches", caches), line("costs", costs),
    ]
    if let date { lines.append(try line("date", date)) }
    lines.append(try line("commit", commit))
    if let partial { lines.append(try line("partial", partial)) }
    let known = Workload.all.map(\.name).filter { workloads[$0] != nil }
    let entries = try known.map { name in
      try "  " + line(name, workloads[name])
    }
    lines.append("  \"workloads\": {\n" + entries.joined(separator: ",\n") + "\n  }")
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }
}

extension RecordedRun.Ratios {
  /// The ratios of a line; nothing if it has none.
  init?(_ line: Measurement) {
    func rounded(_ ratio: Double?) -> Double? {
      ratio.flatMap { $0.isFinite ? $0.toThreeDigits : nil }
    }
    floor = rounded(line.floorRatio)
    peer = rounded(line.peerRatio)
    locked = CommittedCounts.locked[line.name]
    if floor == nil, peer == nil { return nil }
  }
}
