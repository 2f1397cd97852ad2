// Unsafe pointers: invariant: the caller of `visit` passes the place of an initialised value of the
// type, or of a copy of its bytes, and keeps it alive and unchanged until `visit` returns. The
// place of a property is that of the value and the property's offset, which `LayoutCheck` has
// confirmed for this version of Swift.

/// The base of the scans that look for references in memory: where a scan is, and what it could not
/// read.
class MemoryScan {
  final let types: TypeCatalog
  final let reader: RuntimeReader
  /// The references that are not read.
  private(set) final var unread: [Unread] = []
  final var path: ReferencePath
  final var isUnordered: Bool
  final var depth = 0

  init(types: TypeCatalog, path: ReferencePath, isUnordered: Bool) {
    self.types = types
    reader = types.reader
    self.path = path
    self.isUnordered = isUnordered
  }

  /// Looks into a value of a type, at the place of the value or of a copy of it.
  func visit(_ place: UnsafeRawPointer, _ type: any Any.Type) {
    fatalError("MemoryScan.visit is abstract; override it in the subclass.")
  }

  final func noteUnread(_ reading: Reading) {
    unread.append(Unread(path: path, reason: .layout(reading)))
  }

  final func noteUnread(_ limit: ReadingLimit) {
    unread.append(Unread(path: path, reason: .limit(limit)))
  }

  /// Notes the parts of an object that are never looked into, as far as they hold anything now.
  final func noteLimits(of type: ScannedType, at address: UInt) {
    let outer = path
    defer { path = outer }
    if let limit = type.limit {
      path = outer.entering("contents", ofObject: type)
      noteUnread(limit)
    }
    for room in type.rooms
    where types.metadata.leadsToObject(address &+ UInt(room.offset), size: room.size) {
      path = outer.entering(room.name, ofObject: type)
      noteUnread(.nonCopyable)
    }
  }

  final func visit(propertiesOf type: ScannedType, at place: UnsafeRawPointer) {
    guard reader.reads(.properties) else { return noteUnread(.properties) }
    let outer = path
    defer { path = outer }
    for property in type.properties where types.canHold(property.type) {
      path = outer.entering(property.name, of: type.name)
      visit(place + property.offset, property.type)
    }
  }

  /// Looks into the elements of a collection that lie in the value itself.
  final func visit(inline elements: any InlineListing.Type, at place: UnsafeRawPointer) {
    let type = elements.elementType
    let stride = types[type].layout.stride
    for index in 0..<elements.elementCount { visit(place + index * stride, type) }
  }

  /// Runs a closure that visits the elements of a collection.
  final func inOrder(of elements: any ElementListing.Type, _ visitElements: () -> Void) {
    let wasUnordered = isUnordered
    defer { isUnordered = wasUnordered }
    if !elements.isOrdered { isUnordered = true }
    visitElements()
  }
}
