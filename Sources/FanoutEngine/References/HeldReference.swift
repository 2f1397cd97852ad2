/// One stored reference of an object, as the object itself tells it.
package struct HeldReference {
  /// What is to be known about a reference to follow it.
  package enum Target {
    /// An object, or a value that may hold objects: it is followed into its stored properties.
    case value(Any)
    /// A closure; what it captures is held through its context.
    case closure(Any)
    /// Not to be had just now, because it is being delivered.
    case busy
  }

  /// The stored property.
  package let name: String
  /// What it refers to.
  package let target: Target
  /// Whether it keeps the target alive.
  package let isRetained: Bool

  /// An object or a value that is retained.
  package static func value(_ name: String, _ value: Any) -> HeldReference {
    HeldReference(name: name, target: .value(value), isRetained: true)
  }

  /// A closure that is retained.
  package static func closure(_ name: String, _ closure: Any) -> HeldReference {
    HeldReference(name: name, target: .closure(closure), isRetained: true)
  }

  /// An object that is referred to and not kept alive.
  package static func unretained(_ name: String, _ object: AnyObject) -> HeldReference {
    HeldReference(name: name, target: .value(object), isRetained: false)
  }

  /// Something that cannot be looked at while another thread uses it.
  package static func busy(_ name: String) -> HeldReference {
    HeldReference(name: name, target: .busy, isRetained: true)
  }
}

/// An object that tells what it holds: each of its stored references that is set, by name.
///
/// Reflection does not see into closures, locks, raw storage and objects with a mirror of their own;
/// so every class of the package lists its references here, and a test compares the lists with what
/// reflection finds. It is for diagnosis: it allocates, and it may find an object in use by another
/// thread.
package protocol ReferenceListing: AnyObject {
  /// The references that are set now.
  var heldReferences: [HeldReference] { get }
}
