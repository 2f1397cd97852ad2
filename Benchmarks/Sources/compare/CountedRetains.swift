import Foundation
import Workloads

/// What the committed thresholds say, which `swift package benchmark thresholds update` writes.
enum CountedRetains {
  private struct Counts: Decodable {
    let retainCount: Int
  }

  /// How often a delivery retains something; what the measuring itself retains is rounded away.
  static func perDelivery(_ workload: Workload) -> Double? {
    let file = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Thresholds/FanoutBenchmarks.\(workload.name).p90.json")
    guard
      let data = try? Data(contentsOf: file),
      let counts = try? JSONDecoder().decode(Counts.self, from: data)
    else { return nil }
    let retains = Double(counts.retainCount) / Double(workload.countedAmount)
    return (retains * 1000).rounded() / 1000
  }
}
