// Unsafe pointers: invariant: each address is that of a value of the type that comes with it, which
// lives until the call returns, because the object that holds it is retained by the scan's caller
// or a copy of it is held by a function below this one. Objects are retained as they are found.

internal import FanoutEngine

/// Looks for the objects that one object or value retains, through values, closures and those of
/// its parts that are no nodes of their own.
final class ReferenceScan: MemoryScan {
  enum Target {
    case object(AnyObject)
    /// A publisher that is a value and has a name of the user's.
    case labeled(PublisherLabel, Any)
    case busy
  }

  struct Found {
    let target: Target
    let path: ReferencePath
    let isUnordered: Bool
  }

  /// Memory that another thread may be changing, and how it is reached.
  struct Deferred {
    let address: UInt
    let type: any Any.Type
    let path: ReferencePath
    let isUnordered: Bool
  }

  /// How deeply values may lie in each other; what lies deeper is not found.
  static let deepest = 100

  private(set) var found: [Found] = []
  /// How many values were met that hold no object.
  private(set) var counts: [(path: ReferencePath, count: Int)] = []
  /// The names that the user gave to objects by labeling publishers.
  private(set) var labels: [(AnyObject, String)] = []
  /// Inner parts that were looked into as if they were their owners.
  private(set) var parts: [ObjectIdentifier] = []
  /// Parts, contexts and boxes that were looked into.
  private var seen: Set<UnsafeRawPointer> = []
  private var isCounting = false

  /// Whether inner parts are looked into as if they were their owners.
  private let foldsParts: Bool
  /// Whether variables of a program's own are not read but noted in `deferred`.
  private let defersVariables: Bool
  private(set) var deferred: [Deferred] = []
  /// Inner parts that the scan's caller retains, by address.
  private let retainedParts: [ObjectIdentifier: AnyObject]

  init(
    types: TypeCatalog, foldsParts: Bool = true, defersVariables: Bool = false,
    retainedParts: [ObjectIdentifier: AnyObject] = [:]
  ) {
    self.foldsParts = foldsParts
    self.retainedParts = retainedParts
    self.defersVariables = defersVariables
    super.init(types: types, path: ReferencePath(), isUnordered: false)
  }

  /// Looks into an object.
  func scan(_ object: AnyObject) {
    seen.insert(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()))
    withExtendedLifetime(object) { lookInto(object) }
  }

  /// Looks into the properties of an object in memory that can be copied, whatever it lists.
  func scan(memoryOf object: AnyObject) {
    let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    seen.insert(address)
    let owner = types[type(of: object)]
    for property in owner.properties where types.canHold(property.type) {
      path = ReferencePath().entering(property.name, ofObject: owner)
      visit(address + property.offset, property.type)
    }
    path = ReferencePath()
  }

  /// Looks into a value.
  func scan(value: Any) {
    func open<Value>(_ value: Value) {
      withUnsafePointer(to: value) { visit(UnsafeRawPointer($0), Value.self) }
    }
    _openExistential(value, do: open)
  }

  /// Looks into a value that is the owner itself.
  func scan(owner value: Any) {
    path = path.entering("", of: types[type(of: value)].name)
    scan(value: value)
  }

  private func lookInto(_ object: AnyObject) {
    let outer = path
    defer { path = outer }
    let owner = types[type(of: object)]
    if owner.hasGuardedVariables {
      lookInto(object, ofFanouts: owner)
    } else if !reader.reads(.properties) {
      path = outer.entering(Reading.properties.rawValue, ofObject: owner)
      if !owner.isOpaque { noteUnread(.properties) }
    } else {
      let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
      noteLimits(of: owner, at: UInt(bitPattern: address))
      for property in owner.properties where types.canHold(property.type) {
        path = outer.entering(property.name, ofObject: owner)
        let place = address + property.offset
        if property.isVariable {
          visit(variable: place, property.type)
        } else {
          visit(place, property.type)
        }
      }
    }
  }

  /// Looks into an object of Fanout's: at what it lists, and at the constants that it does not
  /// list.
  private func lookInto(_ object: AnyObject, ofFanouts owner: ScannedType) {
    let outer = path
    defer { path = outer }
    let wasCounting = isCounting
    isCounting = true
    defer { isCounting = wasCounting }
    if let label = object as? any PublisherLabeling { note(label) }
    let listed = (object as? any ReferenceListing)?.heldReferences ?? []
    for reference in listed where reference.isRetained {
      path = outer.entering(reference.name, ofObject: owner)
      follow(reference.target)
    }
    if owner.isComplete { return }
    guard reader.reads(.properties) else {
      // A mirror does not tell constants from variables, and a class without a listing has
      // constants only.
      if !(object is any ReferenceListing) { return visitMirror(of: object, owner) }
      path = outer.entering(Reading.properties.rawValue, ofObject: owner)
      return noteUnread(.properties)
    }
    let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    for constant in types.constants(of: owner)
    where !listed.contains(where: { $0.property == constant.name }) {
      path = outer.entering(constant.name, ofObject: owner)
      visit(address + constant.offset, constant.type)
    }
  }

  /// Looks at the properties of an object that has constants only.
  private func visitMirror(of object: AnyObject, _ owner: ScannedType) {
    let outer = path
    defer { path = outer }
    for mirror in sequence(first: Mirror(reflecting: object), next: \.superclassMirror) {
      for child in mirror.children {
        path = outer.entering(child.label ?? "", ofObject: owner)
        scan(value: child.value)
      }
    }
  }

  private func follow(_ target: HeldReference.Target) {
    switch target {
    case .busy: found.append(Found(target: .busy, path: path, isUnordered: false))
    case .closure(let closure): scan(value: closure)
    case .value(let value): scan(value: value)
    case .part(let id, let isIt):
      if let part = retainedParts[id], isIt(part) { scan(value: part) } else { follow(.busy) }
    }
  }

  override func visit(_ address: UnsafeRawPointer, _ type: any Any.Type) {
    depth += 1
    defer { depth -= 1 }
    guard types.canHold(type) else { return count(address, type) }
    guard depth < Self.deepest else { return noteUnread(.depth) }
    let scanned = types[type]
    if foldsParts, let label = scanned.label {
      let (mark, upstream) = label.read(at: address)
      return visit(labeled: mark, upstream)
    }
    if let elements = scanned.elements { return visit(elements: elements, at: address) }
    if let elements = scanned.inlineElements { return visit(inline: elements, at: address) }
    if let limit = scanned.limit, scanned.layout.kind != .object { return noteUnread(limit) }
    switch scanned.layout.kind {
    case .object:
      if let object = address.load(as: UnsafeRawPointer?.self) { visit(object: object) }
    case .objectExistential:
      if let object = address.load(as: UnsafeRawPointer?.self) { visit(object: object) }
    case .structure, .tuple: visit(propertiesOf: scanned, at: address)
    case .enumeration: EnumCases.visitPayload(at: address, type) { scan(value: $0) }
    case .closure:
      guard reader.reads(.closures) else { return noteUnread(.closures) }
      if let context = HeapContext.address(ofClosureAt: address, reader) {
        visit(context: context)
      }
    case .existential: visit(existential: address)
    case .error:
      let error = address.assumingMemoryBound(to: (any Error).self).pointee
      scan(value: error)
    case .other: break
    case .unread: noteUnread(.types)
    }
  }

  /// A place that its owner may be changing just now.
  private func visit(variable place: UnsafeRawPointer, _ type: any Any.Type) {
    guard defersVariables else { return visit(place, type) }
    guard types.canHold(type) else { return }
    deferred.append(
      Deferred(
        address: UInt(bitPattern: place), type: type, path: path, isUnordered: isUnordered))
  }

  private func visit(existential address: UnsafeRawPointer) {
    guard reader.reads(.existentials) else { return noteUnread(.existentials) }
    if let held = reader.existential(at: address, type: { RuntimeReader.type(at: $0) }) {
      visit(held.value, held.type)
    }
  }

  private func visit(elements: any ElementListing.Type, at address: UnsafeRawPointer) {
    let type = elements.elementType
    inOrder(of: elements) { load(elements, at: address).visitPlaces { visit($0, type) } }
  }

  /// Notes values that hold no object: a whole collection of them at once.
  private func count(_ address: UnsafeRawPointer, _ type: any Any.Type) {
    guard isCounting else { return }
    let count = types[type].elements.map { load($0, at: address).elementCount } ?? 1
    if count > 0 { counts.append((path, count)) }
  }

  private func visit(labeled mark: PublisherLabel, _ upstream: Any) {
    if type(of: upstream) is AnyClass {
      labels.append((upstream as AnyObject, mark.name))
      scan(value: upstream)
    } else {
      found.append(
        Found(target: .labeled(mark, upstream), path: path, isUnordered: isUnordered))
    }
  }

  private func visit(object address: UnsafeRawPointer) {
    let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    if let collection = types[type(of: object)].collection {
      return withUnsafePointer(to: address) { visit(UnsafeRawPointer($0), collection) }
    }
    if !reader.reads(.collections), Vocabulary.isNeverShown(types[type(of: object)].name) {
      return noteUnread(.collections)
    }
    guard isPart(object) else {
      return found.append(Found(target: .object(object), path: path, isUnordered: isUnordered))
    }
    guard seen.insert(address).inserted else { return }
    parts.append(ObjectIdentifier(object))
    withExtendedLifetime(object) { lookInto(object) }
  }

  private func isPart(_ object: AnyObject) -> Bool {
    let name = types[type(of: object)].name
    return foldsParts
      ? Vocabulary.isPart(name, heldBy: path.steps.last) : Vocabulary.isNeverShown(name)
  }

  private func visit(context address: UnsafeRawPointer) {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { return noteUnread(.depth) }
    guard seen.insert(address).inserted else { return }
    let wasCounting = isCounting
    isCounting = false
    defer { isCounting = wasCounting }
    for content in HeapContext(address: address, reader).contents {
      switch content {
      case .object(let object):
        seen.remove(address)
        visit(object: object)
      case .context(let context): visit(context: context)
      case .value(let place, let type): visit(place, type)
      case .variable(let place, let type): visit(variable: place, type)
      case .error(let box): scan(value: unsafeBitCast(box, to: (any Error).self))
      case .unread(let limit): noteUnread(limit)
      }
    }
  }

  private func note(_ label: any PublisherLabeling) {
    guard let labeled = label.labeledObject else { return }
    labels.append((labeled, label.mark.name))
  }

  private func load<Value>(_: Value.Type, at address: UnsafeRawPointer) -> Value {
    address.assumingMemoryBound(to: Value.self).pointee
  }
}
