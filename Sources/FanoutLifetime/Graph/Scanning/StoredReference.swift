/// A stored property that refers to something, with the objects that are reached through it and
/// through no other object.
package struct StoredReference {
  /// The owner's type, as the facts call it.
  package let owner: String
  /// The stored property; within a lock or a struct the path to it.
  package let name: String
  /// The key of its word, if there is one.
  package let word: String?
  /// Whether it keeps the objects alive.
  package let isRetained: Bool
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
      return StoredReference.references(scan) + unretained(by: object)
    }

    /// Returns the references of a value.
    package func references(ofValue value: Any) -> [StoredReference] {
      let scan = ReferenceScan(types: types, foldsParts: false)
      scan.scan(owner: value)
      return StoredReference.references(scan)
    }

    /// Returns the references that the memory of an object shows, whatever it lists.
    package func memory(of object: AnyObject) -> [StoredReference] {
      let scan = ReferenceScan(types: types, foldsParts: false)
      withExtendedLifetime(object) { scan.scan(memoryOf: object) }
      return StoredReference.references(scan)
    }

    /// Returns the references that an object lists and that do not keep anything alive.
    private func unretained(by object: AnyObject) -> [StoredReference] {
      let owner = types[type(of: object)]
      let listed = (object as? any ReferenceListing)?.heldReferences ?? []
      return listed.compactMap { held in
        guard !held.isRetained, case .value(let target) = held.target else { return nil }
        let step = ReferencePath().entering(held.name, ofObject: owner).steps.last
        return StoredReference(step, [target as AnyObject], isRetained: false)
      }
    }
  }

  private init(
    _ step: ReferencePath.Step?, _ objects: [AnyObject], isRetained: Bool = true
  ) {
    owner = step?.owners.first ?? ""
    let word = step.flatMap(Vocabulary.word)
    name = word?.reference ?? step?.name ?? ""
    self.word = word?.key
    self.isRetained = isRetained
    self.objects = objects
  }

  private static func references(_ scan: ReferenceScan) -> [StoredReference] {
    var order: [[String]] = []
    var references: [[String]: StoredReference] = [:]
    for found in scan.found {
      guard case .object(let object) = found.target else { continue }
      var step = found.path.steps.last
      // A value that is the owner itself is entered without a name.
      if step?.name.hasPrefix(".") ?? false { step?.name.removeFirst() }
      let reference = StoredReference(step, [object])
      let key = [reference.owner, reference.name]
      if let known = references[key] {
        references[key] = StoredReference(step, known.objects + [object])
      } else {
        order.append(key)
        references[key] = reference
      }
    }
    return order.compactMap { references[$0] }
  }
}
