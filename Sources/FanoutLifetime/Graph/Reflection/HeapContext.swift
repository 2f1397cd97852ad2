// Invariants of the ABI. A closure's context is null or an object whose first word is its metadata,
// and that begins with its kind: 0x400 for captures, with the offset of the first one and a
// descriptor of all; 0x500 for the box of a captured variable, with its offset and type; otherwise
// it is an object of a class. A descriptor has the number of captures, of sources of generic
// parameters and of bindings, then a relative name per capture, and two per source. Bindings are
// words in front of the captures, which lie in order, each at its alignment. A place is read only if
// the kinds of all captures before it are known and it lies within the object's memory; and if all
// are known, only if together they fill that.

/// What a closure's context, or the box of a variable, holds.
struct HeapContext {
  /// A thing found at a place of the context.
  enum Content {
    case value(UnsafeRawPointer, any Any.Type)
    case context(UnsafeRawPointer)
    /// The context is itself this object.
    case object(UnsafeRawPointer)
  }

  let address: UnsafeRawPointer

  /// What it holds, up to the first capture whose kind cannot be told.
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
      return [.value(address + offset, boxed)]
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
    let memory = HeapMemory.size(of: address)
    let isPlausible = places.count < count || memory == .max || memory - offset < 32
    return offset <= memory && isPlausible ? places.compactMap(content) : []
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
      let metadata = (address + bindings + 8 * binding).load(as: UInt.self)
      // A pack of types has its lowest bit set.
      guard metadata > 4096, metadata & 7 == 0 else { continue }
      parameters.learn(name.text, unsafeBitCast(metadata, to: Any.Type.self))
    }
    return parameters
  }

  private func isInside(_ end: Int) -> Bool { end <= HeapMemory.size(of: address) }
}

@available(*, unavailable)
extension HeapContext: Sendable {}

@available(*, unavailable)
extension HeapContext.Content: Sendable {}
