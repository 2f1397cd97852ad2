extension TestScheduler {
  /// A moment of virtual time, counted in ticks from zero.
  ///
  /// An integer literal can be used as a moment. Results beyond the range of `Int` saturate.
  public struct SchedulerTimeType: Strideable, InstantProtocol, Hashable, Sendable,
    ExpressibleByIntegerLiteral, CustomStringConvertible
  {
    /// The number of ticks since zero.
    public let ticks: Int

    /// Makes a moment.
    ///
    /// - Parameter ticks: The number of ticks since zero.
    public init(_ ticks: Int) { self.ticks = ticks }

    /// Makes a moment from an integer literal.
    ///
    /// - Parameter value: The number of ticks since zero.
    public init(integerLiteral value: Int) { self.init(value) }

    /// Returns the number of ticks to another moment.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The distance, negative if the other one is earlier.
    public func distance(to other: Self) -> Stride { Stride(other.ticks) - Stride(ticks) }

    /// Returns the moment a number of ticks later.
    ///
    /// - Parameter distance: The number of ticks, which may be negative.
    /// - Returns: The later moment.
    public func advanced(by distance: Stride) -> Self { Self((Stride(ticks) + distance).ticks) }

    /// Returns the time to another moment.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The duration, negative if the other one is earlier.
    public func duration(to other: Self) -> Duration { .milliseconds(distance(to: other).ticks) }

    /// Returns the moment at a duration from this one, rounded up to whole ticks.
    ///
    /// - Parameter duration: The duration, which may be negative.
    /// - Returns: The later moment.
    @_disfavoredOverload  // `advanced(by: .seconds(1))` means ticks, as it would without a clock.
    public func advanced(by duration: Duration) -> Self { advanced(by: Stride(duration)) }

    /// Returns whether one moment is earlier than another.
    public static func < (earlier: Self, later: Self) -> Bool { earlier.ticks < later.ticks }

    /// The number of ticks.
    public var description: String { "\(ticks)" }
  }
}
