import Foundation

extension Measurement {
  static let headings = [
    "workload", "Fanout", "floor", "no retains", "× floor", "OpenCombine", "× OpenCombine",
    "allocations", "retains", "met",
  ]

  /// The texts of a line, in the order of the headings.
  var cells: [String] {
    let openCombineSign = unit == .nanoseconds ? "≥" : "≤"
    return [
      title,
      text(fanout) + Self.limit("≤", limit),
      floor.map(text) ?? "—",
      unretained.map(text) ?? "—",
      floorRatio.map { Self.short($0) + Self.limit("≤", floorLimit) } ?? "—",
      openCombine.map(text) ?? "—",
      openCombineRatio.map { Self.short($0) + Self.limit(openCombineSign, openCombineLimit) }
        ?? "—",
      allocations.map { Self.count($0) + Self.limit("≤", allocationLimit) } ?? "—",
      retains.map(Self.count) ?? "—",
      verdicts.isEmpty ? "" : verdicts.allSatisfy { $0 } ? "✓" : "✗",
    ]
  }

  private func text(_ value: Double) -> String {
    switch unit {
    case .nanoseconds: Self.short(value) + " ns"
    case .bytes: value == 0 ? "0 B" : Self.short(value) + " B"
    }
  }

  private static func count(_ number: Double) -> String { number == 0 ? "0" : short(number) }

  private static func limit(_ sign: String, _ limit: Double?) -> String {
    limit.map { " (\(sign) \(String(format: "%g", $0)))" } ?? ""
  }

  /// A number without digits that nobody needs.
  static func short(_ number: Double) -> String {
    switch abs(number) {
    case ..<0.01 where number != 0: "< 0.01"
    case ..<10: String(format: "%.2f", number)
    case ..<100: String(format: "%.1f", number)
    default: String(format: "%.0f", number)
    }
  }
}
