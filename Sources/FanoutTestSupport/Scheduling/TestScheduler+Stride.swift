public import Fanout
internal import FanoutEngine

extension TestScheduler.SchedulerTimeType {
  /// A span of virtual time in whole ticks.
  ///
  /// A tick stands for a millisecond, so `.seconds(1)` are 1000 ticks. Parts of a tick are rounded
  /// up, so that nothing comes early. Results beyond the range of `Int` saturate.
  public struct Stride: _NumericInterval, Hashable, Sendable, CustomStringConvertible {
    /// The length in ticks.
    public let ticks: Int

    /// Makes a span.
    ///
    /// - Parameter ticks: The length in ticks.
    public init(_ ticks: Int) { self.ticks = ticks }

    /// Makes a span from a duration, rounded up to whole ticks.
    ///
    /// - Parameter duration: The duration, which may be negative.
    public init(_ duration: Duration) {
      let (perTick, length) = (Duration.milliseconds(1).attoseconds, duration.attoseconds)
      self.init(Int(clamping: length / perTick + (length % perTick > 0 ? 1 : 0)))
    }

    /// Makes a span from an integer literal.
    ///
    /// - Parameter value: The length in ticks.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Makes a span of a number of ticks, or returns nil if the number does not fit.
    ///
    /// - Parameter source: The length in ticks.
    public init?(exactly source: some BinaryInteger) {
      guard let ticks = Int(exactly: source) else { return nil }
      self.init(ticks)
    }

    /// Makes a span of whole seconds.
    public static func seconds(_ s: Int) -> Self { Self(s) * 1000 }

    /// Makes a span of seconds and their fractions; traps if the number is NaN.
    public static func seconds(_ s: Double) -> Self {
      trap(unless: !s.isNaN, "seconds(nan): a span of time needs a number of seconds.")
      let ticks = (s * 1000).rounded(.up)
      return Self(Int(exactly: ticks) ?? (ticks < 0 ? .min : .max))
    }

    /// Makes a span of milliseconds, each of which is one tick.
    public static func milliseconds(_ ms: Int) -> Self { Self(ms) }

    /// Makes a span of microseconds, rounded up to whole ticks.
    public static func microseconds(_ us: Int) -> Self { rounded(us, 1000) }

    /// Makes a span of nanoseconds, rounded up to whole ticks.
    public static func nanoseconds(_ ns: Int) -> Self { rounded(ns, 1_000_000) }

    private static func rounded(_ count: Int, _ perTick: Int) -> Self {
      Self(count / perTick + (count % perTick > 0 ? 1 : 0))
    }

    /// The length without its sign.
    public var magnitude: Self { ticks < 0 ? Self(0) - self : self }

    /// Returns whether one span is shorter than another; a negative span is shorter than zero.
    public static func < (left: Self, right: Self) -> Bool { left.ticks < right.ticks }

    /// Adds two spans.
    public static func + (left: Self, right: Self) -> Self {
      let (sum, isTooFar) = left.ticks.addingReportingOverflow(right.ticks)
      return Self(isTooFar ? (left.ticks < 0 ? .min : .max) : sum)
    }

    /// Subtracts one span from another.
    public static func - (left: Self, right: Self) -> Self {
      let (rest, isTooFar) = left.ticks.subtractingReportingOverflow(right.ticks)
      return Self(isTooFar ? (left.ticks < 0 ? .min : .max) : rest)
    }

    /// Multiplies the ticks of two spans.
    public static func * (left: Self, right: Self) -> Self {
      let (product, isTooFar) = left.ticks.multipliedReportingOverflow(by: right.ticks)
      return Self(isTooFar ? ((left.ticks < 0) != (right.ticks < 0) ? .min : .max) : product)
    }

    /// The number of ticks.
    public var description: String { "\(ticks)" }
  }
}
