/// A limit that Fanout has set itself for a ratio.
///
/// It may be another one where locked instructions are slow, because there a workload that takes many of them is
/// slower beside one that takes few. The counts, which are the same everywhere, are what CI compares.
package struct Limit: Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  private let usual: Double
  private let withSlowLocks: Double?

  package init(_ usual: Double, withSlowLocks: Double? = nil) {
    self.usual = usual
    self.withSlowLocks = withSlowLocks
  }

  package init(floatLiteral value: Double) { self.init(value) }
  package init(integerLiteral value: Int) { self.init(Double(value)) }

  /// The limit on processors of a kind.
  package func value(with locks: Locks) -> Double {
    switch locks {
    case .quick: usual
    case .slow: withSlowLocks ?? usual
    }
  }
}

/// A kind of processors, by the time that a locked instruction takes on them.
package enum Locks: String, Sendable {
  case quick, slow

  /// The nanoseconds from which on a locked instruction that follows another is slow.
  package static let boundary = 3.5

  package init(nanoseconds: Double) { self = nanoseconds < Self.boundary ? .quick : .slow }
}
