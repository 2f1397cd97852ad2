import Foundation
import Synchronization

/// The memory of the process.
enum Memory {
  /// The resident bytes, as the system counts them.
  static var resident: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4096
  }
}

/// Nanoseconds of a clock that goes on evenly.
var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

/// The times that values were on their way, by powers of 2 ^ (1/8).
final class Latencies: Sendable {
  private static let steps = 8.0
  private let counts = Mutex([Int](repeating: 0, count: 64 * 8))

  func add(_ counts: [Int]) {
    self.counts.withLock { known in
      for (index, count) in counts.enumerated() { known[index] += count }
    }
  }

  /// The number of values.
  var count: Int { counts.withLock { $0.reduce(0, +) } }

  static var none: [Int] { [Int](repeating: 0, count: 64 * 8) }

  static func place(of nanoseconds: UInt64) -> Int {
    min(64 * 8 - 1, Int(log2(Double(max(nanoseconds, 1))) * steps))
  }

  /// The time within which a share of the values came, in microseconds.
  func percentile(_ share: Double) -> Double {
    let counts = counts.withLock { $0 }
    var left = Double(counts.reduce(0, +)) * share
    for (index, count) in counts.enumerated() {
      left -= Double(count)
      if left <= 0 { return exp2(Double(index + 1) / Self.steps) / 1000 }
    }
    return 0
  }
}
