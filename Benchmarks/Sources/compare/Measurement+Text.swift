import Foundation

extension Measurement {
  static let headings = [
    "workload", "Fanout", "floor", "× floor", "OpenCombine", "× OpenCombine", "allocations", "met",
  ]

  /// The texts of a line, in the order of the headings.
  var cells: [String] {
    let floorSign = "≤"
    let peerSign = unit == .nanoseconds ? "≥" : "≤"
    return [
      title,
      amount(fanout) + (limit.map { " (≤ \(Self.short($0)))" } ?? ""),
      floor.map(amount) ?? "—",
      ratio(floorRatio, floorSign, floorLimit),
      openCombine.map(amount) ?? "—",
      ratio(openCombineRatio, peerSign, openCombineLimit),
      allocations.map { $0 == 0 ? "0" : Self.significant($0) } ?? "—",
      verdicts.isEmpty ? "" : verdicts.allSatisfy { $0 } ? "✓" : "✗",
    ]
  }

  func amount(_ value: Double) -> String {
    switch unit {
    case .nanoseconds: Self.significant(value) + " ns"
    case .bytes: value == 0 ? "0 B" : Self.significant(value) + " B"
    }
  }

  private func ratio(_ ratio: Double?, _ sign: String, _ limit: Double?) -> String {
    guard let ratio else { return "—" }
    return Self.significant(ratio) + (limit.map { " (\(sign) \(Self.short($0)))" } ?? "")
  }

  /// A number without digits that nobody needs.
  static func short(_ number: Double) -> String {
    number == number.rounded() ? String(format: "%.0f", number) : String(format: "%g", number)
  }

  private static func significant(_ number: Double) -> String {
    switch abs(number) {
    case ..<10: String(format: "%.2f", number)
    case ..<100: String(format: "%.1f", number)
    default: String(format: "%.0f", number)
    }
  }
}
