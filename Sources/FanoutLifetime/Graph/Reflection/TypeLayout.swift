// Invariants of the ABI, the same on every 64-bit platform: a type's metadata begins with its kind,
// where an address (Darwin's `isa`) means a class; the pointer to its value witness table lies in
// front of it, and that table has eight functions, then size, stride and flags. A function's flags,
// and those of an existential, follow the kind; those of an extended existential begin its shape.
// Metadata is never freed.

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

  init(_ type: any Any.Type) {
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    kind = Self.kind(metadata)
    let witnesses = metadata.load(fromByteOffset: -8, as: UnsafeRawPointer.self)
    let flags = witnesses.load(fromByteOffset: 80, as: UInt32.self)
    size = witnesses.load(fromByteOffset: 64, as: Int.self)
    stride = witnesses.load(fromByteOffset: 72, as: Int.self)
    alignment = Int(flags & 0xFF) + 1
    isTrivial = flags & 0x1_0000 == 0
    isInline = flags & 0x2_0000 == 0
    isCopyable = flags & 0x80_0000 == 0
  }

  private static func kind(_ metadata: UnsafeRawPointer) -> Kind {
    let flags = metadata.load(fromByteOffset: 8, as: UInt32.self)
    switch metadata.load(as: UInt.self) {
    case 0, 0x800...: return .object
    case 0x200: return .structure
    case 0x201, 0x202: return .enumeration
    case 0x301: return .tuple
    case 0x302: return flags & 0xFF_0000 == 0 ? .closure : .other
    case 0x303: return existential(isOfObjects: flags >> 31 == 0, special: flags >> 24 & 0x3F)
    case 0x307: return extendedExistential(metadata)
    default: return .other
    }
  }

  private static func existential(isOfObjects: Bool, special: UInt32) -> Kind {
    // `any Error & AnyObject` is a reference, not an error's box.
    if isOfObjects { return .objectExistential }
    return special == 1 ? .error : .existential
  }

  private static func extendedExistential(_ metadata: UnsafeRawPointer) -> Kind {
    let shape = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    switch shape.load(as: UInt32.self) & 0xFF {
    case 0: return .existential
    case 1: return .objectExistential
    default: return .other
    }
  }
}

@available(*, unavailable)
extension TypeLayout: Sendable {}
