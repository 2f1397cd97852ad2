// Invariants of the ABI. A closure's context is null or an object whose first word is its metadata,
// and that begins with its kind: 0x400 for captures, with the offset of the first one and a
// descriptor of all; 0x500 for the box of a captured variable, with its offset and type; otherwise
// it is an object of a class. A descriptor has the number of captures, of sources of generic
// parameters and of bindings, then a relative name per capture, and two per source. Bindings are
// words in front of the captures, which lie in order, each at its alignment. A place is read only if
// the kinds of all captures before it are known and it lies within the object's memory; and if all
// are known, only if together they fill that.

/// The captures of a closure's context, or the variable in a box.
struct HeapContext {
  /// A thing found at a place of the context.
  enum Content {
    case value(UnsafeRawPointer, any Any.Type)
    /// The place of a captured variable, which the closure may change.
    case variable(UnsafeRawPointer, any Any.Type)
    case context(UnsafeRawPointer)
    /// The context is itself this object.
    case object(UnsafeRawPointer)
  }

  let address: UnsafeRawPointer
  /// How much memory it has.
  private let size: Int
  /// Whether that is known exactly.
  private let isWhole: Bool
  /// Tells whether a word is the address of metadata; nil where that is certain.
  private let metadata: MetadataCheck?

  /// A context that is retained by the caller.
  init(address: UnsafeRawPointer) {
    self.address = address
    size = HeapMemory.size(of: address)
    isWhole = size != .max
    metadata = nil
  }

  /// The first bytes of a context, in a copy; its own metadata was checked, and whoever makes it may
  /// not have filled in the rest.
  init(copy: UnsafeRawPointer, size: Int, metadata: MetadataCheck) {
    address = copy
    self.size = size
    isWhole = false
    self.metadata = metadata
  }

  /// The contents, up to the first capture of an unknown kind.
  var contents: [Content] {
    let metadata = address.load(as: UnsafeRawPointer.self)
    switch metadata.load(as: UInt.self) {
    case 0, 0x800...: return [.object(address)]
    case 0x400: return captures(metadata)
    case 0x500:
      let offset = Int(metadata.load(fromByteOffset: 8, as: UInt32.self))
      let type = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
      let boxed = unsafeBitCast(type, to: Any.Type.self)
      guard TypeLayout(boxed).isCopyable else { return [] }
      return [.variable(address + offset, boxed)]
    default: return []
    }
  }

  private func captures(_ metadata: UnsafeRawPointer) -> [Content] {
    guard let descriptor = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) else {
      return []
    }
    let count = Int(descriptor.load(as: UInt32.self))
    let sources = Int(descriptor.load(fromByteOffset: 4, as: UInt32.self))
    let bindings = Int(descriptor.load(fromByteOffset: 8, as: UInt32.self))
    // It is 0 if the first capture's layout is not known when compiling: a type of a resilient module.
    let first = max(16, Int(metadata.load(fromByteOffset: 8, as: UInt32.self)))
    let parameters = parameters(at: descriptor + 12 + 4 * count, count: sources, bindings: first)
    var offset = first + 8 * bindings
    var places: [(offset: Int, capture: Capture)] = []
    for index in 0..<count {
      guard let name = MangledName(at: descriptor + 12 + 4 * index) else { break }
      let capture = Capture(name, parameters)
      guard let (size, alignment) = capture.layout else { break }
      offset = (offset + alignment - 1) & ~(alignment - 1)
      places.append((offset, capture))
      offset += size
    }
    // If all captures are known they fill the object, but for what the allocator adds: it rounds up,
    // and gives a rest along that is too small to be a piece of its own.
    let isPlausible = places.count < count || !isWhole || size - offset < 32
    return offset <= size && isPlausible ? places.compactMap(content) : []
  }

  private func content(at offset: Int, _ capture: Capture) -> Content? {
    let place = address + offset
    switch capture {
    case .pointer: return place.load(as: UnsafeRawPointer?.self).map { .context($0) }
    case .closure:
      return place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self).map { .context($0) }
    case .value(let type): return .value(place, type)
    case .nothing, .unknown: return nil
    }
  }

  private func parameters(
    at place: UnsafeRawPointer, count: Int, bindings: Int
  ) -> GenericParameters {
    var parameters = GenericParameters()
    for index in 0..<count {
      let record = place + 8 * index
      guard let name = MangledName(at: record), let source = MangledName(at: record + 4) else {
        continue
      }
      guard let binding = source.binding, isInside(bindings + 8 * binding + 8) else { continue }
      let argument = (address + bindings + 8 * binding).load(as: UInt.self)
      // A pack of types has its lowest bit set.
      guard argument > 4096, argument & 7 == 0, isMetadata(argument) else { continue }
      parameters.learn(name.text, unsafeBitCast(argument, to: Any.Type.self))
    }
    return parameters
  }

  private func isMetadata(_ word: UInt) -> Bool {
    metadata.map { $0.type(at: word) != nil } ?? true
  }

  private func isInside(_ end: Int) -> Bool { end <= size }
}

@available(*, unavailable)
extension HeapContext: Sendable {}

@available(*, unavailable)
extension HeapContext.Content: Sendable {}
