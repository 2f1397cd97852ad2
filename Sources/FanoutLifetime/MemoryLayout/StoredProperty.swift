// Invariants of the runtime's entry points. They are those that the standard library's own
// reflection stands on, part of the runtime's stable interface, with the signatures given there.
// They are called with classes, structs and tuples only, and with indices below the count. A
// property's name is read before it is freed, and freed once. The flags are read within the memory
// that is passed for them.

/// A stored property of a type, with what `Mirror` does not tell: whether it retains.
package struct StoredProperty {
  /// The name it was declared with; that of a lazy one is without what the compiler puts in front.
  package let name: String
  /// Its type; `()` for one that cannot be copied.
  package let type: any Any.Type
  /// Whether it retains what it refers to: neither `weak` nor `unowned`.
  package let isStrong: Bool
  /// Whether it may be changed after the initialiser.
  package let isVariable: Bool
  /// The offset in bytes from the start of the object or the value.
  package let offset: Int

  /// The stored properties of a class, with those of its superclasses first, of a struct or of a
  /// tuple.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - reader: The reader of memory.
  /// - Returns: The properties in the order of their declaration; none for every other kind of
  ///   type, and none if properties are not read.
  package static func all(
    of type: any Any.Type, _ reader: RuntimeReader = .shared
  ) -> [StoredProperty] {
    guard reader.reads(.properties) else { return [] }
    return switch TypeLayout(type, reader).kind {
    case .object, .structure, .tuple:
      (0..<count(type)).map { StoredProperty(of: type, at: $0, reader.layout.objects) }
    default: []
    }
  }

  private init(of type: any Any.Type, at index: Int, _ layout: RuntimeLayout.Objects) {
    var field = Field()
    self.type = Self.metadata(type, index: index, field: &field)
    let declared = field.name.map { String(cString: $0) } ?? ""
    field.free?(field.name)
    let lazyPrefix = "$__lazy_storage_$_"
    name = declared.hasPrefix(lazyPrefix) ? String(declared.dropFirst(lazyPrefix.count)) : declared
    isStrong = field.flag(at: layout.isStrong)
    isVariable = field.flag(at: layout.isVariable)
    offset = Self.offset(type, index: index)
  }

  private struct Field {
    var name: UnsafePointer<CChar>?
    var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
    /// Room for flags.
    var flags: (UInt, UInt) = (0, 0)

    func flag(at offset: Int) -> Bool {
      withUnsafeBytes(of: self) { $0.indices.contains(offset) && $0[offset] != 0 }
    }
  }

  @_silgen_name("swift_reflectionMirror_recursiveCount")
  private static func count(_ type: any Any.Type) -> Int

  @_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
  private static func metadata(
    _ type: any Any.Type, index: Int, field: UnsafeMutablePointer<Field>
  ) -> any Any.Type

  @_silgen_name("swift_reflectionMirror_recursiveChildOffset")
  private static func offset(_ type: any Any.Type, index: Int) -> Int
}
