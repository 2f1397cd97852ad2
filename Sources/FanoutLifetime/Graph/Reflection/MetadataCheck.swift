// Invariants of the ABI: metadata is preceded by the address of its value witness table, whose first
// word is code; that of a class, a struct or an enum has the address of a descriptor, which lies in
// the image of its module and tells in its lowest five bits what it describes. That of a class also
// says how large its objects are and how large it is itself, and has its superclass's address. What
// has all of it at its place is metadata, and metadata is never freed.

/// Tells whether words found in memory are the addresses of metadata.
final class MetadataCheck {
  private enum Answer {
    case none, closure
    case type(any Any.Type)
  }

  private var answers: [UInt: Answer] = [:]
  private var images: [UInt: Bool] = [:]

  /// The class of the object at an address; nil if there is none that can be told.
  func objectType(at address: UInt) -> (any Any.Type)? {
    guard address & 7 == 0, let word = CopiedMemory.word(at: address) else { return nil }
    guard let type = type(at: word & Self.classMask) else { return nil }
    return TypeLayout(type).kind == .object ? type : nil
  }

  /// The type whose metadata is at an address; nil if that cannot be told.
  func type(at address: UInt) -> (any Any.Type)? {
    guard case .type(let type) = answer(address) else { return nil }
    return type
  }

  /// Whether the metadata at an address is that of a closure's context, or of a variable's box.
  func isContext(_ address: UInt) -> Bool {
    guard case .closure = answer(address) else { return false }
    return true
  }

  private func answer(_ address: UInt) -> Answer {
    if let known = answers[address] { return known }
    let answer = findOut(address)
    answers[address] = answer
    return answer
  }

  private func findOut(_ address: UInt) -> Answer {
    guard address & 7 == 0, let kind = CopiedMemory.word(at: address) else { return .none }
    switch kind {
    case 0x400: return isInImage(address) ? .closure : .none
    case 0x500:
      guard let offset = CopiedMemory.word(at: address + 8).map({ UInt32(truncatingIfNeeded: $0) }),
        (16...4096).contains(offset), let boxed = CopiedMemory.word(at: address + 16)
      else { return .none }
      return type(at: boxed) == nil ? .none : .closure
    case 0x200, 0x201, 0x202:
      let isKnown = hasDescriptor(address, at: 8, kinds: 17...18) && hasWitnesses(address)
      return isKnown ? .type(Self.type(address)) : .none
    case 0x300...0x307: return hasWitnesses(address) ? .type(Self.type(address)) : .none
    case Self.classKinds:
      guard isNative(address), hasWitnesses(address), isClass(address) else { return .none }
      return .type(Self.type(address))
    default: return .none
    }
  }

  private func hasDescriptor(_ address: UInt, at offset: UInt, kinds: ClosedRange<UInt>) -> Bool {
    guard let descriptor = CopiedMemory.word(at: address + offset), isInImage(descriptor),
      let flags = CopiedMemory.word(at: descriptor)
    else { return false }
    return kinds.contains(flags & 0x1F)
  }

  /// Whether the sizes, the superclass, the destructors and the descriptor of a class are at their places.
  ///
  /// A word of memory that is used anew may lead to anything, also to another object's middle.
  private func isClass(_ address: UInt) -> Bool {
    let descriptor = Self.classDescriptor
    guard hasDescriptor(address, at: descriptor, kinds: 16...16),
      let destructor = CopiedMemory.word(at: address - 16), isInImage(destructor),
      let ivarDestroyer = CopiedMemory.word(at: address + descriptor + 8),
      ivarDestroyer == 0 || isInImage(ivarDestroyer),
      let sizes = CopiedMemory.word(at: address + descriptor - 16),
      let extent = CopiedMemory.word(at: address + descriptor - 8),
      let superclass = CopiedMemory.word(at: address + 8)
    else { return false }
    let instanceSize = UInt32(truncatingIfNeeded: sizes)
    let alignmentMask = UInt16(truncatingIfNeeded: sizes >> 32)
    let (size, addressPoint) = (UInt32(truncatingIfNeeded: extent), extent >> 32)
    return instanceSize >= 16 && alignmentMask & (alignmentMask &+ 1) == 0 && sizes >> 48 == 0
      && addressPoint >= 16 && addressPoint < size && isSuperclass(superclass)
  }

  private func hasWitnesses(_ address: UInt) -> Bool {
    guard let table = CopiedMemory.word(at: address - 8),
      let code = CopiedMemory.word(at: table)
    else { return false }
    return isInImage(code)
  }

  private func isInImage(_ address: UInt) -> Bool {
    if let known = images[address] { return known }
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return false }
    var description: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
    let isFound = Self.describe(pointer, &description) != 0
    images[address] = isFound
    return isFound
  }

  private static func type(_ address: UInt) -> any Any.Type {
    unsafeBitCast(address, to: Any.Type.self)
  }

  /// Finds the image that an address lies in, without looking at what is there.
  @_silgen_name("dladdr")
  private static func describe(
    _ address: UnsafeRawPointer, _ description: UnsafeMutableRawPointer
  ) -> Int32

  #if canImport(ObjectiveC)
    private static let classDescriptor: UInt = 64
    private static let classMask = UInt(truncatingIfNeeded: 0x0000_7FFF_FFFF_FFF8 as UInt64)

    /// Whether a class is one of Swift's own, which has a descriptor.
    private func isNative(_ address: UInt) -> Bool {
      CopiedMemory.word(at: address + 32).map { $0 & 2 != 0 } ?? false
    }

    /// A class of Objective-C, which is the superclass of each at last, is not looked into.
    private func isSuperclass(_ address: UInt) -> Bool {
      !isNative(address) || type(at: address) != nil
    }

    /// A class is an object itself, and its first word the address of its own class.
    private static let classKinds: PartialRangeFrom<UInt> = 0x800...
  #else
    private static let classDescriptor: UInt = 40
    private static let classMask = UInt.max

    private func isNative(_ address: UInt) -> Bool { true }

    private func isSuperclass(_ address: UInt) -> Bool { address == 0 || type(at: address) != nil }

    private static let classKinds: ClosedRange<UInt> = 0...0
  #endif
}

@available(*, unavailable)
extension MetadataCheck: Sendable {}
