public import Fanout

extension TestScheduler.SchedulerTimeType {
  /// A span of virtual time in whole ticks.
  ///
  /// A tick stands for a millisecond, so `.seconds(1)` are 1000 ticks. Parts of a tick are rounded
  /// up, so that nothing comes early. What would lie beyond the numbers saturates.
  public struct Stride: SchedulerTimeIntervalConvertible, SignedNumeric, Comparable, Hashable,
    Sendable, CustomStringConvertible
  {
    /// How many ticks long it is.
    public let ticks: Int

    /// Makes a span.
    ///
    /// - Parameter ticks: How many ticks long it is.
    public init(_ ticks: Int) { self.ticks = ticks }

    /// Makes a span from a number in the source.
    ///
    /// - Parameter value: How many ticks long it is.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Makes a span of so many ticks, if that number fits.
    ///
    /// - Parameter source: How many ticks long it is.
    public init?(exactly source: some BinaryInteger) {
      guard let ticks = Int(exactly: source) else { return nil }
      self.init(ticks)
    }

    /// Makes a span of so many whole seconds.
    public static func seconds(_ s: Int) -> Self { Self(s) * 1000 }

    /// Makes a span of seconds and parts of one; traps if it is not a number.
    public static func seconds(_ s: Double) -> Self {
      guard !s.isNaN else { fatalError("TestScheduler: NaN seconds are no span of time") }
      let ticks = (s * 1000).rounded(.up)
      return Self(Int(exactly: ticks) ?? (ticks < 0 ? .min : .max))
    }

    /// Makes a span of so many milliseconds, which is as many ticks.
    public static func milliseconds(_ ms: Int) -> Self { Self(ms) }

    /// Makes a span of so many microseconds, rounded up to whole ticks.
    public static func microseconds(_ us: Int) -> Self { rounded(us, 1000) }

    /// Makes a span of so many nanoseconds, rounded up to whole ticks.
    public static func nanoseconds(_ ns: Int) -> Self { rounded(ns, 1_000_000) }

    private static func rounded(_ count: Int, _ perTick: Int) -> Self {
      Self(count / perTick + (count % perTick > 0 ? 1 : 0))
    }

    /// The length, whatever the direction.
    public var magnitude: Self { ticks < 0 ? Self(0) - self : self }

    /// Whether one span is shorter than another; a negative one is shorter than none.
    public static func < (left: Self, right: Self) -> Bool { left.ticks < right.ticks }

    /// Adds two spans.
    public static func + (left: Self, right: Self) -> Self {
      let (sum, isTooFar) = left.ticks.addingReportingOverflow(right.ticks)
      return Self(isTooFar ? (left.ticks < 0 ? .min : .max) : sum)
    }

    /// Takes one span off another.
    public static func - (left: Self, right: Self) -> Self {
      let (rest, isTooFar) = left.ticks.subtractingReportingOverflow(right.ticks)
      return Self(isTooFar ? (left.ticks < 0 ? .min : .max) : rest)
    }

    /// Multiplies the ticks of two spans.
    public static func * (left: Self, right: Self) -> Self {
      let (product, isTooFar) = left.ticks.multipliedReportingOverflow(by: right.ticks)
      return Self(isTooFar ? ((left.ticks < 0) != (right.ticks < 0) ? .min : .max) : product)
    }

    /// Multiplies the ticks of two spans.
    public static func *= (left: inout Self, right: Self) { left = left * right }

    /// The number of ticks.
    public var description: String { "\(ticks)" }
  }
}
