// Invariant of the relaxed counter: only that no two additions return the same number is relied on,
// and an atomic addition promises that by itself. No other memory is published through the counter.

import Synchronization

/// What tells one part of a subscription from every other.
///
/// It comes from an object's identity, or from a counter. The two kinds never meet: the counter's
/// numbers are odd, and objects lie at even addresses. An object's identifier is good as long as the
/// object lives.
@frozen
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  @usableFromInline let rawValue: UInt64

  private static let counter = Atomic<UInt64>(1)

  /// Makes an identifier that nothing else has.
  ///
  /// It may be called from any thread; it takes no lock.
  public init() {
    rawValue = Self.counter.wrappingAdd(2, ordering: .relaxed).oldValue
  }

  /// Makes the identifier of an object: the same one each time.
  ///
  /// - Parameter obj: The object. It is not retained.
  @inlinable
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier in hexadecimal, as `0x7f21`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}
