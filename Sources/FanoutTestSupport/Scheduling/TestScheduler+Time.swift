extension TestScheduler {
  /// A moment of virtual time, counted in ticks from zero.
  ///
  /// A whole number can be written where one is wanted. What would lie beyond the numbers saturates.
  public struct SchedulerTimeType: Strideable, Hashable, Sendable, ExpressibleByIntegerLiteral,
    CustomStringConvertible
  {
    /// How many ticks lie before it.
    public let ticks: Int

    /// Makes a moment.
    ///
    /// - Parameter ticks: How many ticks lie before it.
    public init(_ ticks: Int) { self.ticks = ticks }

    /// Makes a moment from a number in the source.
    ///
    /// - Parameter value: How many ticks lie before it.
    public init(integerLiteral value: Int) { self.init(value) }

    /// How many ticks the other moment is later.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The distance, negative if the other one is earlier.
    public func distance(to other: Self) -> Stride { Stride(other.ticks) - Stride(ticks) }

    /// The moment that is so many ticks later.
    ///
    /// - Parameter distance: How many, which may be negative.
    /// - Returns: That moment.
    public func advanced(by distance: Stride) -> Self { Self((Stride(ticks) + distance).ticks) }

    /// Whether one moment is earlier than another.
    public static func < (earlier: Self, later: Self) -> Bool { earlier.ticks < later.ticks }

    /// The number of ticks.
    public var description: String { "\(ticks)" }
  }
}
