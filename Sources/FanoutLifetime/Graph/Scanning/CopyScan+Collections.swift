// Invariants of the ABI: an array is the address of its storage, which has the count 16 bytes from its
// start and the elements behind 32, at their alignment. A set and a dictionary have there the count,
// at 32 the logarithm of the number of places, at 48 the address of the elements or the keys and, in
// a dictionary, at 56 that of the values; then comes a bit for each place that is in use.

extension CopyScan {
  /// Looks at the elements of a collection whose storage may be changed or released meanwhile.
  func visit(elements: any ElementListing.Type, _ name: TypeName, at copy: UnsafeRawPointer) {
    let wasUnordered = isUnordered
    defer { isUnordered = wasUnordered }
    let storage = copy.load(as: UInt.self) & Self.addressMask
    switch name.readable {
    case "Array", "ContiguousArray": visit(array: storage, elements.elementType)
    case "ArraySlice":
      // Its storage, the place of the element 0, the bounds, and a bit below the upper one.
      let start = copy.load(fromByteOffset: 16, as: Int.self)
      let end = Int(bitPattern: copy.load(fromByteOffset: 24, as: UInt.self) >> 1)
      let (count, overflows) = end.subtractingReportingOverflow(start)
      let stride = TypeLayout(elements.elementType).stride
      let base = copy.load(fromByteOffset: 8, as: UInt.self)
      guard !overflows, (0...Self.mostElements).contains(count), start >= 0, start < 1 << 40
      else { return }
      visit(elements.elementType, at: base &+ UInt(start * stride), count: count)
    case "Set":
      isUnordered = true
      visit(table: storage, [(offset: 48, type: elements.elementType)], bits: 56)
    case "Dictionary":
      isUnordered = true
      guard let pair = elements as? any PairListing.Type else { return }
      visit(
        table: storage, [(offset: 48, type: pair.keyType), (offset: 56, type: pair.valueType)],
        bits: 64)
    default: break
    }
  }

  #if canImport(ObjectiveC)
    /// Without the bits that tell a bridged storage from one of Swift's own.
    private static let addressMask = UInt(truncatingIfNeeded: 0x00FF_FFFF_FFFF_FFF8 as UInt64)
  #else
    private static let addressMask = UInt.max
  #endif

  private func visit(array storage: UInt, _ element: any Any.Type) {
    guard isStorage(storage), let count = CopiedMemory.word(at: storage + 16) else { return }
    let alignment = UInt(max(16, TypeLayout(element).alignment))
    let start = storage + (32 + alignment - 1) & ~(alignment - 1)
    visit(element, at: start, count: Int(clamping: count))
  }

  private func visit(
    table storage: UInt, _ columns: [(offset: UInt, type: any Any.Type)], bits: UInt
  ) {
    guard isStorage(storage), let scale = CopiedMemory.word(at: storage + 32).map({ $0 & 0xFF }),
      scale <= 24
    else { return }
    let places = min(1 << Int(scale), Self.mostElements)
    let starts = columns.map { CopiedMemory.word(at: storage + $0.offset) ?? 0 }
    CopiedMemory.read(storage + bits, count: (places + 63) / 64 * 8) { used in
      for place in 0..<places {
        let word = used.load(fromByteOffset: place / 64 * 8, as: UInt.self)
        guard word >> UInt(place % 64) & 1 == 1 else { continue }
        for (column, start) in zip(columns, starts) where types.canHold(column.type) {
          visit(copyOf: start &+ UInt(place * TypeLayout(column.type).stride), column.type)
        }
      }
    }
  }

  private func visit(_ element: any Any.Type, at start: UInt, count: Int) {
    let layout = TypeLayout(element)
    let stride = max(1, layout.stride)
    let fitting = min(count, Self.mostElements, CopiedMemory.largest / stride)
    guard fitting > 0, layout.size > 0 else { return }
    CopiedMemory.read(start, count: (fitting - 1) * stride + layout.size) { copy in
      for index in 0..<fitting { visit(copy + index * stride, element) }
    }
  }

  /// Whether the storage of one of the standard library's collections is at an address.
  private func isStorage(_ address: UInt) -> Bool {
    metadata.objectType(at: address).map { types[$0].collection != nil } ?? false
  }
}

/// A collection of keys with values.
protocol PairListing {
  static var keyType: any Any.Type { get }
  static var valueType: any Any.Type { get }
}

extension Dictionary: PairListing {
  static var keyType: any Any.Type { Key.self }
  static var valueType: any Any.Type { Value.self }
}
