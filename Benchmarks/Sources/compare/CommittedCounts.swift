import Foundation
import Workloads

/// The counts in the committed thresholds, which are the same on every processor.
enum CommittedCounts {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Thresholds")

  private struct Retains: Decodable {
    let retainCount: Int
  }

  private struct Instructions: Decodable {
    let locked: [String: Double]
  }

  /// How often a delivery retains something; what the measuring itself retains is rounded away.
  ///
  /// `swift package benchmark thresholds update` writes it.
  static func retains(_ workload: Workload) -> Double? {
    let file = folder.appending(path: "FanoutBenchmarks.\(workload.name).p90.json")
    guard
      let data = try? Data(contentsOf: file),
      let counts = try? JSONDecoder().decode(Retains.self, from: data)
    else { return nil }
    let retains = Double(counts.retainCount) / Double(workload.countedAmount)
    return (retains * 1000).rounded() / 1000
  }

  /// The locked instructions of a delivery, by workload: `tools/instruction-counts --update` writes them.
  static let locked: [String: Double] = {
    guard
      let data = try? Data(contentsOf: folder.appending(path: "instructions.json")),
      let counts = try? JSONDecoder().decode(Instructions.self, from: data)
    else { return [:] }
    return counts.locked
  }()
}
