// Invariant of the reads: the metadata of a type is never freed, and has what the layout says; the
// check makes sure of that before anything but copies is read.

/// How the values of a type lie in memory, as far as finding references in them needs it.
struct TypeLayout {
  /// The kind of a type.
  enum Kind {
    case object, structure, tuple
    /// An enum, also an optional.
    case enumeration
    /// A Swift closure: a pointer to code and one to its context.
    case closure
    /// `any P`, with room for three words, then the type.
    case existential
    /// `any P` of objects only.
    case objectExistential
    /// `any Error`.
    case error
    /// Metatypes, functions of C and whatever else there is to hold no Swift object.
    case other
    /// Of a type that cannot be read.
    case unread
  }

  let kind: Kind
  let size: Int
  let stride: Int
  let alignment: Int
  /// Whether copying its values copies bits, so that they hold no object.
  let isTrivial: Bool
  let isCopyable: Bool
  /// Whether an existential holds it in its own three words.
  let isInline: Bool

  init(_ type: any Any.Type, _ reader: RuntimeReader) {
    self = Self.read(type, reader) ?? Self(unread: type)
  }

  /// Reads a type's layout from the compiler's own constants, without an offset.
  private init(_ type: any Any.Type, _ kind: Kind, isCopyable: Bool, isInline: Bool) {
    func open<Value>(_: Value.Type) -> (size: Int, stride: Int, alignment: Int, isTrivial: Bool) {
      let layout = MemoryLayout<Value>.self
      return (layout.size, layout.stride, layout.alignment, _isPOD(Value.self))
    }
    (size, stride, alignment, isTrivial) = _openExistential(type, do: open)
    self.kind = kind
    self.isCopyable = isCopyable
    self.isInline = isInline
  }

  /// The layout of a type that cannot be read.
  private init(unread type: any Any.Type) {
    self.init(type, type is AnyClass ? .object : .unread, isCopyable: true, isInline: false)
  }

  private static func read(_ type: any Any.Type, _ reader: RuntimeReader) -> Self? {
    let layout = reader.layout.types
    let metadata = RuntimeReader.address(of: type)
    guard reader.reads(.types), let kind = kind(metadata, reader),
      let witnesses = reader.pointer(metadata, layout.witnesses),
      let flags = reader.half(witnesses, layout.flags)
    else { return nil }
    return Self(
      type, kind, isCopyable: flags & layout.isNonCopyable == 0,
      isInline: flags & layout.isNonInline == 0)
  }

  private static func kind(_ metadata: UnsafeRawPointer, _ reader: RuntimeReader) -> Kind? {
    let layout = reader.layout.types
    guard let word = reader.word(metadata) else { return nil }
    guard word != 0, word < UInt(layout.firstIsa) else { return .object }
    switch Int(word) {
    case layout.structKind: return .structure
    case layout.enumKind, layout.optionalKind: return .enumeration
    case layout.tupleKind: return .tuple
    case layout.functionKind:
      return reader.half(metadata, layout.structuralFlags).map {
        $0 & layout.functionConvention == 0 ? .closure : .other
      }
    case layout.existentialKind:
      return reader.half(metadata, layout.structuralFlags).map { existential($0, layout) }
    case layout.extendedExistentialKind:
      guard let shape = reader.pointer(metadata, layout.structuralFlags) else { return nil }
      return reader.half(shape).map { extendedExistential($0 & layout.shapeKind, layout) }
    default: return .other
    }
  }

  private static func existential(_ flags: Int, _ layout: RuntimeLayout.Types) -> Kind {
    // `any Error & AnyObject` is a reference, not an error's box.
    if flags & layout.isNotOnlyObjects == 0 { return .objectExistential }
    return flags & layout.specialProtocol == layout.errorProtocol ? .error : .existential
  }

  private static func extendedExistential(_ shape: Int, _ layout: RuntimeLayout.Types) -> Kind {
    switch shape {
    case layout.opaqueShape: .existential
    case layout.objectShape: .objectExistential
    default: .other
    }
  }
}
