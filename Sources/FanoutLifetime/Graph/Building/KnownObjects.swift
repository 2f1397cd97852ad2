// Invariant of the cast: an `ObjectIdentifier` is one word, the object's address; it is compared only.

/// The nodes of objects, by the objects' addresses.
final class KnownObjects {
  private var nodes: [ObjectIdentifier: Int] = [:]

  subscript(object: ObjectIdentifier) -> Int? {
    get { nodes[object] }
    set { nodes[object] = newValue }
  }

  /// Returns the identity of the object that is, or was, at an address.
  static func identity(of address: UInt) -> ObjectIdentifier {
    unsafeBitCast(address, to: ObjectIdentifier.self)
  }
}

@available(*, unavailable)
extension KnownObjects: Sendable {}
