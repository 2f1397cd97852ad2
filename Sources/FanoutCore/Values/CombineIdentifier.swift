// Invariant of the relaxed counter: the code relies only on no two additions returning the same
// number, which an atomic addition guarantees by itself. No other memory is published through the
// counter.

import Synchronization

/// An identifier that distinguishes one part of a subscription from every other part.
///
/// It comes from an object's identity, or from a counter. The two kinds never collide: the
/// counter's numbers are odd, and objects lie at even addresses. An object's identifier is valid
/// for the object's lifetime.
@frozen
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  let rawValue: UInt64

  private static let counter = Atomic<UInt64>(1)

  /// Creates an identifier that nothing else has.
  ///
  /// This initialiser may be called from any thread; it takes no lock.
  public init() {
    rawValue = Self.counter.wrappingAdd(2, ordering: .relaxed).oldValue
  }

  /// Creates the identifier of an object: the same one each time.
  ///
  /// - Parameter obj: The object to identify. It is not retained.
  public init(_ obj: AnyObject) {
    rawValue = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The identifier in hexadecimal, as `0x7f21`.
  public var description: String { "0x" + String(rawValue, radix: 16) }
}

/// A part of a subscription that an identifier distinguishes from every other part.
///
/// A class gets its identifier from its identity. A structure stores one, made by
/// ``CombineIdentifier/init()``.
public protocol CustomCombineIdentifierConvertible {
  /// The identifier that distinguishes this part of a subscription from every other part.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The object's identity.
  public var combineIdentifier: CombineIdentifier { CombineIdentifier(self) }
}
