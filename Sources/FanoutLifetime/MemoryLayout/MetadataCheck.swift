// Invariant: nothing is read but by copies that the system makes or refuses, so that a word may be
// anything. What has everything at its place that the layout says is metadata, and that is never
// freed. A descriptor and code lie in the image of a module, which the system tells without looking
// at what is there.

/// Tells whether words found in memory are the addresses of metadata.
final class MetadataCheck {
  private enum Answer {
    case none, closure
    case type(any Any.Type)
  }

  private let reader: RuntimeReader
  private let layout: RuntimeLayout
  private var answers: [UInt: Answer] = [:]
  private var images: [UInt: Bool] = [:]

  init(_ reader: RuntimeReader) {
    self.reader = reader
    layout = reader.layout
  }

  /// The class of the object at an address; nil if there is none that can be told.
  func objectType(at address: UInt) -> (any Any.Type)? {
    guard reader.isAligned(address), let word = word(address) else { return nil }
    guard let type = type(at: classAddress(word)) else { return nil }
    return TypeLayout(type, reader).kind == .object ? type : nil
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

  /// Whether a word of memory leads to an object, a context or a box of whatever kind, also if bits
  /// of it tell the case of an enum.
  func leadsToObject(_ start: UInt, size: Int) -> Bool {
    let width = MemoryLayout<UInt>.size
    let bits = UInt(layout.addresses.bound - layout.addresses.alignment)
    return reader.copy(start, count: size) { copy in
      stride(from: 0, through: size - width, by: width).contains {
        mayBeObject(copy.load(fromByteOffset: $0, as: UInt.self) & bits)
      }
    } ?? false
  }

  private func answer(_ address: UInt) -> Answer {
    if let known = answers[address] { return known }
    let answer = findOut(address)
    answers[address] = answer
    return answer
  }

  private func findOut(_ address: UInt) -> Answer {
    guard reader.isAligned(address), let word = word(address) else { return .none }
    guard word != 0, word < UInt(layout.types.firstIsa) else {
      return isClass(address, firstWord: word) ? known(address) : .none
    }
    switch Int(word) {
    case layout.contexts.contextKind: return isInImage(address) ? .closure : .none
    case layout.contexts.boxKind: return isBox(address) ? .closure : .none
    case layout.types.structKind: return isValue(address, layout.nominals.structDescriptor)
    case layout.types.enumKind, layout.types.optionalKind:
      return isValue(address, layout.nominals.enumDescriptor)
    case layout.types.extendedExistentialKind:
      let hasShape = self.word(address, layout.types.structuralFlags).map(isInImage) ?? false
      return hasShape && hasWitnesses(address) ? known(address) : .none
    case let kind
    where kind >= layout.types.firstStructuralKind && kind < layout.types.extendedExistentialKind:
      return hasWitnesses(address) ? known(address) : .none
    default: return .none
    }
  }

  private func known(_ address: UInt) -> Answer {
    UnsafeRawPointer(bitPattern: address).map { .type(RuntimeReader.type(at: $0)) } ?? .none
  }

  private func isValue(_ address: UInt, _ descriptor: Int) -> Answer {
    let isKnown =
      hasDescriptor(address, at: layout.nominals.descriptor, descriptor) && hasWitnesses(address)
    return isKnown ? known(address) : .none
  }

  private func isBox(_ address: UInt) -> Bool {
    guard let offset = half(address, layout.contexts.boxedOffset),
      (layout.objects.header...layout.addresses.pageSize).contains(offset),
      let boxed = word(address, layout.contexts.boxedType)
    else { return false }
    return type(at: boxed) != nil
  }

  private func hasDescriptor(_ address: UInt, at offset: Int, _ kind: Int) -> Bool {
    guard let descriptor = word(address, offset), isInImage(descriptor),
      let flags = half(descriptor)
    else { return false }
    return flags & layout.nominals.descriptorKind == kind
  }

  /// Whether the sizes, the superclass, the destructors and the descriptor of a class are at their
  /// places.
  ///
  /// A word of memory that is used anew may lead to anything, also to another object's middle.
  private func isClass(_ address: UInt, firstWord: UInt) -> Bool {
    let classes = layout.classes
    let place = classes.descriptor
    guard isNative(address, firstWord), hasWitnesses(address),
      hasDescriptor(address, at: place, layout.nominals.classDescriptor),
      let destructor = word(address, classes.destructor), isInImage(destructor),
      let propertyDestroyer = word(address, place + classes.propertyDestroyer),
      propertyDestroyer == 0 || isInImage(propertyDestroyer),
      let instanceSize = half(address, place + classes.instanceSize),
      // The upper half of it is reserved.
      let alignmentMask = half(address, place + classes.instanceAlignment),
      let size = half(address, place + classes.metadataSize),
      let addressPoint = half(address, place + classes.addressPoint),
      let superclass = word(address, classes.superclass)
    else { return false }
    return instanceSize >= layout.objects.header && alignmentMask & (alignmentMask + 1) == 0
      && alignmentMask < 1 << 16 && addressPoint >= -classes.destructor && addressPoint < size
      && isSuperclass(superclass)
  }

  /// Whether there is a table of functions for the values of a type in front.
  ///
  /// All of them are looked at: an object, too, begins with an address that lies in a module.
  private func hasWitnesses(_ address: UInt) -> Bool {
    guard let table = word(address, layout.types.witnesses) else { return false }
    return (0..<Self.witnessCount).allSatisfy { index in
      word(table, index * MemoryLayout<UInt>.size).map(isInImage) ?? false
    }
  }

  /// The number of functions that the table of each type has.
  private static let witnessCount = 8

  /// Whether an address lies in the code or the constants of a module.
  func isInImage(_ address: UInt) -> Bool {
    if let known = images[address] { return known }
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return false }
    var description: (UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
    let isFound = Self.describe(pointer, &description) != 0
    images[address] = isFound
    return isFound
  }

  private func word(_ address: UInt, _ offset: Int = 0) -> UInt? {
    reader.copiedWord(at: address &+ UInt(bitPattern: offset))
  }

  private func half(_ address: UInt, _ offset: Int = 0) -> Int? {
    reader.copy(address &+ UInt(bitPattern: offset), count: MemoryLayout<UInt32>.size) {
      Int($0.loadUnaligned(as: UInt32.self))
    }
  }

  /// Finds the image that an address lies in, without looking at what is there.
  @_silgen_name("dladdr")
  private static func describe(
    _ address: UnsafeRawPointer, _ description: UnsafeMutableRawPointer
  ) -> Int32

  #if canImport(ObjectiveC)
    private func classAddress(_ word: UInt) -> UInt { word & UInt(layout.classes.isaMask) }

    /// Whether there is memory at an address: a class of Objective-C has no destructor to tell it
    /// by.
    private func mayBeObject(_ address: UInt) -> Bool { word(address) != nil }

    /// Whether a class is one of Swift's own, which has a descriptor.
    ///
    /// A class is an object itself, and its first word the address of its own class.
    private func isNative(_ address: UInt, _ firstWord: UInt) -> Bool {
      guard firstWord != 0, let data = word(address, layout.classes.data) else { return false }
      return data & UInt(layout.classes.isSwift) != 0
    }

    /// A class of Objective-C, which is the superclass of each at last, is not looked into.
    private func isSuperclass(_ address: UInt) -> Bool {
      !isNative(address, 1) || type(at: address) != nil
    }
  #else
    private func classAddress(_ word: UInt) -> UInt { word }

    private func isNative(_: UInt, _ firstWord: UInt) -> Bool { firstWord == 0 }

    /// Whether an address leads to metadata that has a destructor in front.
    private func mayBeObject(_ address: UInt) -> Bool {
      guard let metadata = word(address), reader.isAligned(metadata),
        let destructor = word(metadata, layout.classes.destructor)
      else { return false }
      return isInImage(destructor)
    }

    private func isSuperclass(_ address: UInt) -> Bool { address == 0 || type(at: address) != nil }
  #endif
}
