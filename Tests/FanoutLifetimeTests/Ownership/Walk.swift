import FanoutEngine
import FanoutLifetime

/// One stored reference that is set, found by going from object to object.
struct Edge {
  /// The object, or the struct, that has the reference.
  let owner: Any
  let ownerName: String
  let reference: String
  /// The key of its word, if there is one.
  let word: String?
  let targets: [AnyObject]

  func shows(_ fact: Ownership.Fact) -> Bool {
    ownerName == fact.owner && reference == fact.reference
  }
}

/// A walk over every reachable reference: Fanout's objects list theirs, and users' objects are
/// reflected.
///
/// The objects found are retained as long as the walk is.
struct Walk {
  private(set) var edges: [Edge] = []
  private(set) var objects: [ObjectIdentifier: AnyObject] = [:]
  private var pending: [AnyObject] = []
  /// One for all walks, because learning about types is what takes the time.
  private static let reader = Lock(StoredReference.Reader())

  init(from roots: [Any]) {
    for root in roots {
      if type(of: root) is AnyClass {
        visit([root as AnyObject])
      } else {
        note(Self.reader.withLock { $0.references(ofValue: root) }, of: root)
      }
    }
    while let object = pending.popLast() {
      note(Self.reader.withLock { $0.references(of: object) }, of: object)
    }
  }

  private mutating func visit(_ found: [AnyObject]) {
    for object in found where objects.updateValue(object, forKey: ObjectIdentifier(object)) == nil {
      pending.append(object)
    }
  }

  private mutating func note(_ references: [StoredReference], of owner: Any) {
    for reference in references {
      edges.append(
        Edge(
          owner: owner, ownerName: reference.owner, reference: reference.name,
          word: reference.word, targets: reference.objects))
      if reference.isRetained { visit(reference.objects) }
    }
  }
}
