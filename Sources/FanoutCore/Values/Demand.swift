extension Subscribers {
  /// The number of further values that a subscriber allows.
  ///
  /// A demand is a count from zero up, or ``unlimited``, which is greater than every count. Demands
  /// add up and saturate: a count that would exceed `Int.max` is unlimited. Unlimited plus, minus
  /// or times anything stays unlimited, and a result below zero is ``none``. No arithmetic traps;
  /// only ``max(_:)`` does, for a negative number.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// var demand = Subscribers.Demand.max(2)
  /// demand += 3
  /// print(demand, demand > 4, demand - 7, demand + .unlimited)
  /// // Prints:
  /// // max(5) true max(0) unlimited
  /// ```
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable
  {
    @usableFromInline let rawValue: UInt

    @usableFromInline static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

    @inlinable
    init(rawValue: UInt) {
      self.rawValue = Swift.min(rawValue, Self.unlimitedRawValue)
    }

    /// A demand for as many values as there are.
    public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

    /// A demand for no value: the same as `.max(0)`.
    public static var none: Demand { Demand(rawValue: 0) }

    /// Creates a demand for the specified number of values.
    ///
    /// Traps if `value` is negative.
    ///
    /// - Parameter value: The number of values, zero or more.
    /// - Returns: A demand for that many values.
    public static func max(_ value: Int) -> Demand {
      if value < 0 { refuse(value) }
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The count, or nil if unlimited.
    public var max: Int? {
      self == .unlimited ? nil : Int(bitPattern: rawValue)
    }

    /// The text `max(42)`, or `unlimited`.
    public var description: String {
      self == .unlimited ? "unlimited" : "max(\(rawValue))"
    }

    /// Creates a demand from one that ``encode(to:)`` wrote.
    ///
    /// A number greater than `Int.max` decodes as unlimited; a negative number is an error.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: Any error that the decoder throws if there is no such number.
    public init(from decoder: any Decoder) throws {
      self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
    }

    /// Encodes this demand as one unsigned number, which is `Int.max + 1` for unlimited.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }

    // Not `trap(unless:_:)`, which clients cannot inline: the check costs them one comparison.
    @usableFromInline
    @inline(never)
    static func refuse(_ value: Int) -> Never {
      fatalError("Subscribers.Demand.max(\(value)): a demand cannot be negative; pass 0 or more.")
    }
  }
}
