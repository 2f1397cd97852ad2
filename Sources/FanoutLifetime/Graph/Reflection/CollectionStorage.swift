// Invariants of the ABI. A class's metadata has its descriptor behind nine words where there is
// Objective-C, behind six words, of which the last ones are halves, where there is none; a generic
// class's arguments begin the members that it adds to its superclass's. A descriptor has the size
// of the metadata and the number of those members, in words, 28 and 32 bytes from its start. An
// array, a set and a dictionary of Swift's own are one pointer to their storage.

/// The storage of a collection, where it stands for the collection.
///
/// The optimiser makes a collection that is a closure's only capture the closure's context.
enum CollectionStorage {
  #if canImport(ObjectiveC)
    private static let descriptorOffset = 64
  #else
    private static let descriptorOffset = 40
  #endif

  /// The type of the collection that an object of this class stores, or nil if it stores none.
  static func collection(storedBy type: any Any.Type, _ name: TypeName) -> (any Any.Type)? {
    guard name.module == "Swift" else { return nil }
    switch name.readable {
    case "_ContiguousArrayStorage": return array(of: argument(0, of: type))
    case "_SetStorage": return set(of: argument(0, of: type))
    case "_DictionaryStorage": return dictionary(argument(0, of: type), argument(1, of: type))
    default: return nil
    }
  }

  private static func argument(_ index: Int, of type: any Any.Type) -> any Any.Type {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    let descriptor = metadata.load(fromByteOffset: descriptorOffset, as: UnsafeRawPointer.self)
    let size = Int(descriptor.load(fromByteOffset: 28, as: UInt32.self))
    let own = Int(descriptor.load(fromByteOffset: 32, as: UInt32.self))
    let place = 8 * (size - own + index)
    let argument = metadata.load(fromByteOffset: place, as: UnsafeRawPointer.self)
    return unsafeBitCast(argument, to: Any.Type.self)
  }

  private static func array(of element: any Any.Type) -> any Any.Type {
    func make<Element>(_: Element.Type) -> any Any.Type { [Element].self }
    return make(element)
  }

  private static func set(of element: any Any.Type) -> (any Any.Type)? {
    func make<Element: Hashable>(_: Element.Type) -> any Any.Type { Set<Element>.self }
    return (element as? any Hashable.Type).map { make($0) }
  }

  private static func dictionary(
    _ key: any Any.Type, _ value: any Any.Type
  ) -> (any Any.Type)? {
    func make<Key: Hashable, Value>(_: Key.Type, _: Value.Type) -> any Any.Type {
      [Key: Value].self
    }
    return (key as? any Hashable.Type).map { make($0, value) }
  }
}
