// Unsafe pointers: invariant: storage is read by copies only, which live as long as the closure
// that is called with them; of a class's metadata, which is never freed, the generic arguments are
// read that the standard library declares.

/// The storage of a collection, where it stands for the collection.
///
/// The optimiser makes a collection that is a closure's only capture the closure's context.
enum CollectionStorage {
  /// The type of the collection that an object of this class stores, or nil if it stores none.
  static func collection(
    storedBy type: any Any.Type, _ name: TypeName, _ reader: RuntimeReader
  ) -> (any Any.Type)? {
    guard name.module == "Swift", reader.reads(.collections) else { return nil }
    switch name.readable {
    case "_ContiguousArrayStorage": return argument(0, of: type, reader).map(array)
    case "_SetStorage": return argument(0, of: type, reader).flatMap(set)
    case "_DictionaryStorage":
      guard let key = argument(0, of: type, reader), let value = argument(1, of: type, reader)
      else { return nil }
      return dictionary(key, value)
    default: return nil
    }
  }

  /// The address of a generic argument of a class.
  static func argumentAddress(
    _ index: Int, of type: any Any.Type, _ reader: RuntimeReader
  ) -> UnsafeRawPointer? {
    let metadata = RuntimeReader.address(of: type)
    let layout = reader.layout.classes
    guard let descriptor = reader.pointer(metadata, layout.descriptor),
      let size = reader.half(descriptor, layout.positiveSize),
      let own = reader.half(descriptor, layout.ownMembers)
    else { return nil }
    return reader.pointer(metadata, MemoryLayout<UInt>.size * (size - own + index))
  }

  private static func argument(
    _ index: Int, of type: any Any.Type, _ reader: RuntimeReader
  ) -> (any Any.Type)? {
    argumentAddress(index, of: type, reader).map(RuntimeReader.type)
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

/// The elements of a collection whose storage may be changed or released meanwhile, as copies.
struct CopiedCollection {
  let reader: RuntimeReader
  /// The number of elements to read at most.
  let limit: Int
  /// Returns whether the storage of one of the standard library's collections is at an address.
  let isStorage: (UInt) -> Bool
  /// Returns whether values of a type are worth a visit.
  let canHold: (any Any.Type) -> Bool
  /// The closure to call with the place of a copy of each element.
  let visit: (UnsafeRawPointer, any Any.Type) -> Void

  private var layout: RuntimeLayout.Collections { reader.layout.collections }

  /// Visits the elements of the collection of which there is a copy.
  func visitElements(
    of elements: any ElementListing.Type, _ name: TypeName, at copy: UnsafeRawPointer
  ) {
    let storage = copy.load(as: UInt.self) & Self.addressMask
    let element = elements.elementType
    switch name.readable {
    case "Array", "ContiguousArray": visit(array: storage, element)
    case "ArraySlice": visit(slice: copy, element)
    case "Set":
      visit(table: storage, [(offset: layout.tableKeys, type: element)], bits: layout.setBits)
    case "Dictionary":
      guard let pair = elements as? any PairListing.Type else { return }
      let columns = [
        (offset: layout.tableKeys, type: pair.keyType),
        (offset: layout.tableValues, type: pair.valueType),
      ]
      visit(table: storage, columns, bits: layout.dictionaryBits)
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
    guard isStorage(storage), let count = word(storage, layout.arrayCount) else { return }
    let alignment = TypeLayout(element, reader).alignment
    let start = (layout.arrayElements + alignment - 1) & ~(alignment - 1)
    visit(element, at: storage &+ UInt(bitPattern: start), count: Int(clamping: count))
  }

  private func visit(slice copy: UnsafeRawPointer, _ element: any Any.Type) {
    guard let start = reader.load(copy, layout.sliceStart, as: Int.self),
      let bits = reader.word(copy, layout.sliceEnd), let base = reader.word(copy, layout.sliceBase)
    else { return }
    let (count, overflows) = Int(bitPattern: bits >> 1).subtractingReportingOverflow(start)
    guard !overflows, (0...limit).contains(count), start >= 0, start < 1 << 40 else { return }
    let offset = start * TypeLayout(element, reader).stride
    visit(element, at: base &+ UInt(offset), count: count)
  }

  private func visit(
    table storage: UInt, _ columns: [(offset: Int, type: any Any.Type)], bits: Int
  ) {
    guard isStorage(storage), let scale = word(storage, layout.tableScale).map({ $0 & 0xFF }),
      scale <= 24
    else { return }
    let places = min(1 << Int(scale), limit)
    let starts = columns.map { word(storage, $0.offset) ?? 0 }
    reader.copy(storage &+ UInt(bitPattern: bits), count: (places + 63) / 64 * 8) { used in
      for place in 0..<places {
        let word = used.load(fromByteOffset: place / 64 * 8, as: UInt.self)
        guard word >> UInt(place % 64) & 1 == 1 else { continue }
        for (column, start) in zip(columns, starts) where canHold(column.type) {
          let layout = TypeLayout(column.type, reader)
          reader.copy(start &+ UInt(place * layout.stride), count: layout.size) {
            visit($0, column.type)
          }
        }
      }
    }
  }

  private func visit(_ element: any Any.Type, at start: UInt, count: Int) {
    let layout = TypeLayout(element, reader)
    let stride = max(1, layout.stride)
    let fitting = min(count, limit, CopiedMemory.largest / stride)
    guard fitting > 0, layout.size > 0 else { return }
    reader.copy(start, count: (fitting - 1) * stride + layout.size) { copy in
      for index in 0..<fitting { visit(copy + index * stride, element) }
    }
  }

  private func word(_ address: UInt, _ offset: Int) -> UInt? {
    reader.copiedWord(at: address &+ UInt(bitPattern: offset))
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
