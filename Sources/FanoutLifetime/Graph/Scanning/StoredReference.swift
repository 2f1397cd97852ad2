/// A stored property that retains something, with the objects that are reached through it and
/// through no other object.
package struct StoredReference {
  /// The owner's type, as the facts call it.
  package let owner: String
  /// The stored property; within a lock or a struct the path to it.
  package let name: String
  /// The objects.
  package let objects: [AnyObject]

  /// Reads stored references, and remembers what it has learned about types.
  package struct Reader {
    private let types = TypeCatalog(.shared)

    /// Makes a reader that knows no types yet.
    package init() {}

    /// Returns the references of an object, without folding objects into others.
    package func references(of object: AnyObject) -> [StoredReference] {
      let scan = ReferenceScan(types: types, foldsParts: false)
      scan.scan(object)
      return StoredReference.references(scan)
    }

    /// Returns the references of a value.
    package func references(ofValue value: Any) -> [StoredReference] {
      let scan = ReferenceScan(types: types, foldsParts: false)
      scan.scan(value: value, of: Ownership.name(of: type(of: value)))
      return StoredReference.references(scan)
    }
  }

  private static func references(_ scan: ReferenceScan) -> [StoredReference] {
    var order: [[String]] = []
    var objects: [[String]: [AnyObject]] = [:]
    for found in scan.found {
      let step = found.path.steps.last
      let key = [step?.owners.first ?? "", name(of: step)]
      guard case .object(let object) = found.target else { continue }
      if objects[key] == nil { order.append(key) }
      objects[key, default: []].append(object)
    }
    return order.map { StoredReference(owner: $0[0], name: $0[1], objects: objects[$0] ?? []) }
  }

  /// As the fact about it says, if there is one: a value within a value is under that of the whole.
  private static func name(of step: ReferencePath.Step?) -> String {
    guard var step else { return "" }
    if step.name.hasPrefix(".") { step.name.removeFirst() }
    return Vocabulary.fact(of: step)?.reference ?? step.name
  }
}

@available(*, unavailable)
extension StoredReference: Sendable {}

@available(*, unavailable)
extension StoredReference.Reader: Sendable {}
