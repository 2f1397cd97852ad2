extension Subscribers {
  /// How many more values a subscriber allows.
  ///
  /// A demand is a count from zero up, or ``unlimited``, which is more than every count. Demands add
  /// up and saturate: what would exceed `Int.max` is unlimited. Unlimited plus, minus or times
  /// anything stays unlimited, and a result below zero is ``none``. No arithmetic traps; only
  /// ``max(_:)`` does, when it is given a negative number.
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

    @inlinable static var unlimitedRawValue: UInt { UInt(Int.max) + 1 }

    @inlinable
    init(rawValue: UInt) {
      self.rawValue = Swift.min(rawValue, Self.unlimitedRawValue)
    }

    /// As many values as there are.
    @inlinable
    public static var unlimited: Demand { Demand(rawValue: unlimitedRawValue) }

    /// No value: the same as `.max(0)`.
    @inlinable
    public static var none: Demand { Demand(rawValue: 0) }

    /// That many values and no more.
    ///
    /// Traps if `value` is negative.
    ///
    /// - Parameter value: The count, zero or more.
    /// - Returns: The demand for that many.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      if value < 0 { refuse(value) }
      return Demand(rawValue: UInt(bitPattern: value))
    }

    /// The count, or nil if unlimited.
    @inlinable
    public var max: Int? {
      self == .unlimited ? nil : Int(bitPattern: rawValue)
    }

    /// The text `max(42)`, or `unlimited`.
    public var description: String {
      self == .unlimited ? "unlimited" : "max(\(rawValue))"
    }

    /// Reads a demand that was written by ``encode(to:)``.
    ///
    /// A number greater than `Int.max` is read as unlimited; a negative one is an error.
    ///
    /// - Parameter decoder: Where to read from.
    /// - Throws: What the decoder throws where there is no such number.
    public init(from decoder: any Decoder) throws {
      self.init(rawValue: try decoder.singleValueContainer().decode(UInt.self))
    }

    /// Writes a demand as one unsigned number, which is `Int.max + 1` if it is unlimited.
    ///
    /// - Parameter encoder: Where to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(rawValue)
    }

    // Not `precondition`: that says nothing in a release build.
    @usableFromInline
    @inline(never)
    static func refuse(_ value: Int) -> Never {
      fatalError("Subscribers.Demand.max(\(value)): a demand cannot be negative")
    }
  }
}
