// Unsafe pointers: invariant: every pointer is into a copy that a caller of the method holds; words
// in a copy are compared with known addresses, or copied from, and neither dereferenced nor
// retained.

/// Looks for references in memory that another thread may be changing just now.
///
/// It reads copies, and takes for an object only what is known to be alive, or what looks like one:
/// beside a thread that writes it may name a holder of a moment ago, and it does no harm. It looks
/// into properties, optionals and other enums, existentials, closures and the collections of the
/// standard library, as far as `deepest` and `mostElements` go.
final class CopyScan: MemoryScan {
  struct Found {
    let address: UInt
    /// Its class, if it is not among the known objects.
    let type: (any Any.Type)?
    let path: ReferencePath
    let isUnordered: Bool
  }

  /// How deeply values may lie in each other.
  private static let deepest = 64
  /// How many elements of a collection are looked at.
  private static let mostElements = 1 << 17
  /// How much of a closure's context is read at first.
  private static let contextSize = 1024

  private let metadata: MetadataCheck
  private(set) var found: [Found] = []
  private let known: KnownObjects
  private var seen: Set<UInt> = []

  init(
    types: TypeCatalog, known: KnownObjects, path: ReferencePath, isUnordered: Bool
  ) {
    metadata = types.metadata
    self.known = known
    super.init(types: types, path: path, isUnordered: isUnordered)
  }

  /// Looks into what lies at an address: an object of that class, or a value.
  func scan(_ address: UInt, _ type: any Any.Type, isObject: Bool) {
    guard reader.reads(.variables) else { return noteUnread(.variables) }
    guard isObject else { return visit(copyOf: address, type) }
    noteLimits(of: types[type], at: address)
    let properties = types[type].properties
    guard let end = properties.map({ $0.offset + types[$0.type].layout.size }).max() else { return }
    reader.copy(address, count: end) { copy in
      let outer = path
      defer { path = outer }
      for property in properties where types.canHold(property.type) {
        path = outer.entering(property.name, ofObject: types[type])
        visit(copy + property.offset, property.type)
      }
    }
  }

  private func visit(copyOf address: UInt, _ type: any Any.Type) {
    reader.copy(address, count: types[type].layout.size) { visit($0, type) }
  }

  override func visit(_ copy: UnsafeRawPointer, _ type: any Any.Type) {
    depth += 1
    defer { depth -= 1 }
    guard types.canHold(type) else { return }
    guard depth < Self.deepest else { return noteUnread(.depth) }
    let scanned = types[type]
    if let elements = scanned.elements {
      return visit(elements: elements, scanned.name, at: copy)
    }
    if let elements = scanned.inlineElements { return visit(inline: elements, at: copy) }
    if let limit = scanned.limit, scanned.layout.kind != .object { return noteUnread(limit) }
    switch scanned.layout.kind {
    case .object, .objectExistential: visit(object: copy.load(as: UInt.self))
    case .structure, .tuple: visit(propertiesOf: scanned, at: copy)
    case .enumeration: visit(enumeration: copy, type)
    case .closure:
      guard reader.reads(.closures) else { return noteUnread(.closures) }
      let context = HeapContext.address(ofClosureAt: copy, reader)
      if let context { visit(context: UInt(bitPattern: context)) }
    case .existential: visit(existential: copy)
    case .error: visit(error: copy.load(as: UInt.self))
    case .other: break
    case .unread: noteUnread(.types)
    }
  }

  private func visit(enumeration copy: UnsafeRawPointer, _ type: any Any.Type) {
    guard reader.reads(.enums) else { return noteUnread(.enums) }
    let layout = types[type].layout
    withUnsafeTemporaryAllocation(byteCount: max(8, layout.size), alignment: 16) { bytes in
      guard let bits = bytes.baseAddress else { return }
      bits.copyMemory(from: copy, byteCount: layout.size)
      guard let payload = EnumCases.project(bits, type, reader) else { return }
      guard payload.isIndirect else { return visit(UnsafeRawPointer(bits), payload.type) }
      let box = bits.load(as: UInt.self)
      guard reader.isAddress(box) else { return }
      let offset = reader.boxedOffset(alignment: types[payload.type].layout.alignment)
      visit(copyOf: box + UInt(offset), payload.type)
    }
  }

  private func visit(existential copy: UnsafeRawPointer) {
    guard reader.reads(.existentials) else { return noteUnread(.existentials) }
    let held = reader.existential(at: copy) { [metadata] in
      metadata.type(at: UInt(bitPattern: $0))
    }
    guard let held else { return }
    if held.isBoxed {
      visit(copyOf: UInt(bitPattern: held.value), held.type)
    } else {
      visit(held.value, held.type)
    }
  }

  private func visit(error box: UInt) {
    guard reader.isAddress(box) else { return }
    guard reader.reads(.existentials) else { return noteUnread(.existentials) }
    guard let error = reader.error(at: box, type: metadata.type) else { return noteUnread(.error) }
    visit(copyOf: error.value, error.type)
  }

  private func visit(object address: UInt) {
    guard reader.isAddress(address) else { return }
    if known[RuntimeReader.identity(of: address)] != nil { return add(address, nil) }
    guard let type = metadata.objectType(at: address), seen.insert(address).inserted else { return }
    let scanned = types[type]
    if let collection = scanned.collection {
      return withUnsafePointer(to: address) { visit(UnsafeRawPointer($0), collection) }
    }
    if !Vocabulary.isNeverShown(scanned.name) {
      add(address, type)
    } else if !reader.reads(.collections) {
      noteUnread(.collections)
    }
  }

  private func add(_ address: UInt, _ type: (any Any.Type)?) {
    found.append(Found(address: address, type: type, path: path, isUnordered: isUnordered))
  }

  private func visit(elements: any ElementListing.Type, _ name: TypeName, at copy: UnsafeRawPointer)
  {
    guard reader.reads(.collections) else { return noteUnread(.collections) }
    let collection = CopiedCollection(
      reader: reader, limit: Self.mostElements, isStorage: isStorage, canHold: types.canHold,
      visit: { self.visit($0, $1) })
    inOrder(of: elements) { collection.visitElements(of: elements, name, at: copy) }
  }

  /// Whether the storage of one of the standard library's collections is at an address.
  private func isStorage(_ address: UInt) -> Bool {
    metadata.objectType(at: address).map { types[$0].collection != nil } ?? false
  }

  private func visit(context address: UInt) {
    guard reader.isAddress(address), seen.insert(address).inserted else { return }
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { return noteUnread(.depth) }
    guard let word = reader.copiedWord(at: address) else { return }
    guard metadata.isContext(word) else {
      if let error = reader.error(at: address, type: metadata.type) {
        return visit(copyOf: error.value, error.type)
      }
      seen.remove(address)
      let isObject =
        known[RuntimeReader.identity(of: address)] != nil || metadata.objectType(at: address) != nil
      return isObject ? visit(object: address) : noteUnread(.capture)
    }
    // Its size is not known: there may be less memory than that, but not less than its page has.
    let isRead = read(context: address, word, count: Self.contextSize)
    if !isRead { _ = read(context: address, word, count: reader.restOfPage(from: address)) }
  }

  private func read(context address: UInt, _ word: UInt, count: Int) -> Bool {
    let isRead: Void? = reader.copy(address, count: count) { copy in
      // Between the two copies another may have taken its place.
      guard copy.load(as: UInt.self) == word else { return }
      for content in HeapContext(copy: copy, size: count, reader, metadata: metadata).contents {
        switch content {
        case .object, .error: break
        case .unread(let limit): noteUnread(limit)
        case .context(let next): visit(context: UInt(bitPattern: next))
        case .value(let place, let type), .variable(let place, let type): visit(place, type)
        }
      }
    }
    return isRead != nil
  }
}
