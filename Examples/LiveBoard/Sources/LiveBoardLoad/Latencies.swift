/// Counts of latencies, in steps of a tenth of a millisecond.
struct Latencies {
  private static let step: UInt64 = 100_000

  private(set) var count = 0
  private(set) var greatest: UInt64 = 0
  /// Latencies of more than ten seconds are in the last one.
  private var counts = [Int](repeating: 0, count: 100_001)

  mutating func add(_ nanoseconds: UInt64) {
    count += 1
    greatest = max(greatest, nanoseconds)
    counts[min(Int(nanoseconds / Self.step), counts.count - 1)] += 1
  }

  mutating func add(_ others: Latencies) {
    count += others.count
    greatest = max(greatest, others.greatest)
    for index in counts.indices { counts[index] += others.counts[index] }
  }

  /// Returns the latency that this share of all does not exceed, in milliseconds.
  func milliseconds(below share: Double) -> Double {
    var rest = Int((Double(count) * share).rounded(.up))
    for (index, count) in counts.enumerated() {
      rest -= count
      if rest <= 0 { return Double((UInt64(index) + 1) * Self.step) / 1e6 }
    }
    return Double(greatest) / 1e6
  }

  var summary: String {
    guard count > 0 else { return "none" }
    let (median, high) = (milliseconds(below: 0.5), milliseconds(below: 0.99))
    return "median \(text(median)) ms, p99 \(text(high)) ms, max \(text(Double(greatest) / 1e6)) ms"
  }
}

/// Returns a number with one digit behind the point.
func text(_ number: Double) -> String {
  let tenths = Int((number * 10).rounded())
  return "\(tenths / 10).\(abs(tenths % 10))"
}
