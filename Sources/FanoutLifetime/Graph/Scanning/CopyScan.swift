// Unsafe pointers: invariant: every pointer is into a copy that a caller of the method holds; words in
// a copy are compared with known addresses, or copied from, and neither dereferenced nor retained.

/// Looks for references in memory that another thread may be changing just now.
///
/// It reads copies, and takes for an object only what is known to be alive, or what looks like one:
/// beside a thread that writes it may name a holder of a moment ago, and it does no harm. It looks into
/// properties, optionals and other enums, existentials, closures and the collections of the standard
/// library, as far as `deepest` and `mostElements` go.
final class CopyScan {
  struct Found {
    let address: UInt
    /// Its class, if it is not among the known objects.
    let type: (any Any.Type)?
    let path: ReferencePath
    let isUnordered: Bool
  }

  /// How deeply values may lie in each other.
  static let deepest = 64
  /// How many elements of a collection are looked at.
  static let mostElements = 1 << 17

  let types: TypeCatalog
  let metadata: MetadataCheck
  private(set) var found: [Found] = []
  private let known: KnownObjects
  private var seen: Set<UInt> = []
  private var path: ReferencePath
  var isUnordered: Bool
  private var depth = 0

  init(
    types: TypeCatalog, metadata: MetadataCheck, known: KnownObjects, path: ReferencePath,
    isUnordered: Bool
  ) {
    self.types = types
    self.metadata = metadata
    self.path = path
    self.isUnordered = isUnordered
    self.known = known
  }

  /// Looks into what lies at an address: an object of that class, or a value.
  func scan(_ address: UInt, _ type: any Any.Type, isObject: Bool) {
    guard isObject else { return visit(copyOf: address, type) }
    let properties = types[type].properties
    guard let end = properties.map({ $0.offset + TypeLayout($0.type).size }).max() else { return }
    CopiedMemory.read(address, count: end) { copy in
      let owners = types[type].classNames
      let outer = path
      defer { path = outer }
      for property in properties where types.canHold(property.type) {
        path = outer.entering(owners, property.name)
        visit(copy + property.offset, property.type)
      }
    }
  }

  func visit(copyOf address: UInt, _ type: any Any.Type) {
    CopiedMemory.read(address, count: TypeLayout(type).size) { visit($0, type) }
  }

  func visit(_ copy: UnsafeRawPointer, _ type: any Any.Type) {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest, types.canHold(type) else { return }
    let scanned = types[type]
    if let elements = scanned.elements {
      return visit(elements: elements, scanned.name, at: copy)
    }
    switch scanned.layout.kind {
    case .object, .objectExistential: visit(object: copy.load(as: UInt.self))
    case .structure, .tuple: visit(propertiesOf: scanned, at: copy)
    case .enumeration: visit(enumeration: copy, type)
    case .closure: visit(context: copy.load(fromByteOffset: 8, as: UInt.self))
    case .existential: visit(existential: copy)
    case .error, .other: break
    }
  }

  private func visit(propertiesOf type: ScannedType, at copy: UnsafeRawPointer) {
    let outer = path
    defer { path = outer }
    for property in type.properties where types.canHold(property.type) {
      path = outer.entering(property.name, of: type.name.readable)
      visit(copy + property.offset, property.type)
    }
  }

  private func visit(enumeration copy: UnsafeRawPointer, _ type: any Any.Type) {
    let layout = types[type].layout
    withUnsafeTemporaryAllocation(byteCount: max(8, layout.size), alignment: 16) { bytes in
      guard let bits = bytes.baseAddress else { return }
      bits.copyMemory(from: copy, byteCount: layout.size)
      guard let payload = EnumCases.project(bits, type) else { return }
      guard payload.isIndirect else { return visit(UnsafeRawPointer(bits), payload.type) }
      let alignment = UInt(TypeLayout(payload.type).alignment)
      let box = bits.load(as: UInt.self)
      guard box > 4096, box < 1 << 56 else { return }
      visit(copyOf: box + (16 + alignment - 1) & ~(alignment - 1), payload.type)
    }
  }

  private func visit(existential copy: UnsafeRawPointer) {
    guard let type = metadata.type(at: copy.load(fromByteOffset: 24, as: UInt.self)) else { return }
    let layout = TypeLayout(type)
    if layout.isInline { return visit(copy, type) }
    let header = UInt((16 + layout.alignment - 1) & ~(layout.alignment - 1))
    let box = copy.load(as: UInt.self)
    guard box > 4096, box < 1 << 56 else { return }
    visit(copyOf: box + header, type)
  }

  private func visit(object address: UInt) {
    guard address > 4096 else { return }
    if known[KnownObjects.identity(of: address)] != nil { return add(address, nil) }
    guard let type = metadata.objectType(at: address), seen.insert(address).inserted else { return }
    let scanned = types[type]
    if let collection = scanned.collection {
      return withUnsafePointer(to: address) { visit(UnsafeRawPointer($0), collection) }
    }
    if !Vocabulary.isNeverShown(scanned.name) { add(address, type) }
  }

  private func add(_ address: UInt, _ type: (any Any.Type)?) {
    found.append(Found(address: address, type: type, path: path, isUnordered: isUnordered))
  }

  private func visit(context address: UInt) {
    guard address > 4096, seen.insert(address).inserted else { return }
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest, let word = CopiedMemory.word(at: address) else { return }
    guard metadata.isContext(word) else {
      seen.remove(address)
      return visit(object: address)
    }
    // Its size is not known: there may be less memory than that, but not less than its page has.
    let isRead = read(context: address, word, count: 1024)
    if !isRead { _ = read(context: address, word, count: 4096 - Int(address & 4095)) }
  }

  private func read(context address: UInt, _ word: UInt, count: Int) -> Bool {
    let isRead: Void? = CopiedMemory.read(address, count: count) { copy in
      // Between the two copies another may have taken its place.
      guard copy.load(as: UInt.self) == word else { return }
      for content in HeapContext(copy: copy, size: count, metadata: metadata).contents {
        switch content {
        case .object: break
        case .context(let next): visit(context: UInt(bitPattern: next))
        case .value(let place, let type), .variable(let place, let type): visit(place, type)
        }
      }
    }
    return isRead != nil
  }
}

@available(*, unavailable)
extension CopyScan: Sendable {}

@available(*, unavailable)
extension CopyScan.Found: Sendable {}
