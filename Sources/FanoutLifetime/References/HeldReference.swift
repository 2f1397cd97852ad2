// Unmanaged references: invariant: only their addresses are taken, to be compared.

/// One stored reference of an object, as its listing describes it.
package struct HeldReference {
  /// The target of a reference, and the way to follow it.
  package enum Target {
    /// An object, or a value that may hold objects: it is followed into its stored properties.
    case value(Any)
    /// A closure; what it captures is held through its context.
    case closure(Any)
    /// An object that cannot be read now, because another thread uses it or may release it at any
    /// time.
    case busy
    /// An object that another thread may release at any time: it is read if the reader has retained
    /// it as a part. `isIt` returns whether the object is still the same one, and not a later one
    /// at its address.
    case part(ObjectIdentifier, isIt: (AnyObject) -> Bool)
  }

  /// The name of the stored property.
  package let name: String
  /// The target of the reference.
  package let target: Target
  /// Whether the reference keeps its target alive.
  package let isRetained: Bool

  /// The stored property at which the path begins.
  var property: Substring { name.prefix { $0 != "." } }

  /// Makes a reference that retains an object or a value.
  package static func value(_ name: String, _ value: Any) -> HeldReference {
    HeldReference(name: name, target: .value(value), isRetained: true)
  }

  /// Makes a reference that retains a closure.
  package static func closure(_ name: String, _ closure: Any) -> HeldReference {
    HeldReference(name: name, target: .closure(closure), isRetained: true)
  }

  /// Makes a reference that doesn't keep its object alive.
  package static func unretained(_ name: String, _ object: AnyObject) -> HeldReference {
    HeldReference(name: name, target: .value(object), isRetained: false)
  }

  /// Makes a reference to an object that another thread may release, which is followed only if the
  /// reader already retains the object.
  package static func part(
    _ name: String, _ object: Unmanaged<AnyObject>, isIt: @escaping (AnyObject) -> Bool
  ) -> HeldReference {
    let id = RuntimeReader.identity(of: UInt(bitPattern: object.toOpaque()))
    return HeldReference(name: name, target: .part(id, isIt: isIt), isRetained: true)
  }

  /// Makes a reference that cannot be read while another thread uses it.
  package static func busy(_ name: String) -> HeldReference {
    HeldReference(name: name, target: .busy, isRetained: true)
  }
}

extension HeldReference {
  /// Returns the word for this reference of an object of Fanout's.
  package func word(of owner: AnyObject) -> Ownership.KeyedWord? {
    let owners = Vocabulary.classes(of: type(of: owner)).map(Vocabulary.className)
    return Ownership.word(of: owners, name, isOurs: true)
  }
}

/// An object that lists the references that its memory does not show, or not safely: each one that
/// is set, by name.
///
/// Other threads change what a class of the package guards by a lock, an atomic or a drain, and
/// memory shows neither unmanaged references nor what a value with storage of its own holds. This
/// folder lists those. The constants of an object are read from its memory, so a class that has
/// nothing else needs no listing. A test compares what the objects tell with what their memory
/// shows. A listing allocates. It may find an object in use by another thread, and that thread
/// never waits for it.
package protocol ReferenceListing: AnyObject {
  /// The references that are set now.
  var heldReferences: [HeldReference] { get }
}

/// An object that lists all references, also constants.
///
/// It has constants that other threads use in a way that is not safe to look into, or lists them
/// under other names or in another order.
package protocol CompleteListing: ReferenceListing {}

/// An object of a subclass that holds more than its superclass lists.
///
/// A property that is declared in an extension cannot be overridden in another module, so the
/// superclass asks for this one.
package protocol AdditionalReferences: AnyObject {
  /// The references that are set now, besides those of the superclass.
  var additionalReferences: [HeldReference] { get }
}

/// Returns the references of an object that its class adds to those of the superclass.
func additionalReferences(of object: AnyObject) -> [HeldReference] {
  (object as? any AdditionalReferences)?.additionalReferences ?? []
}
