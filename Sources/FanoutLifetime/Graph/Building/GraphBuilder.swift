/// Follows references from roots, object by object.
struct GraphBuilder {
  private(set) var draft = GraphDraft()
  private let types = TypeCatalog()
  private var names: [ObjectIdentifier: String]
  private var indices: [ObjectIdentifier: Int] = [:]
  /// What the nodes stand for: retained, so that no other object takes an address meanwhile.
  private var targets: [Any] = []
  /// Objects that labels name, retained for the same reason.
  private var labeled: [AnyObject] = []
  private var next = 0

  init(names: [ObjectIdentifier: String]) { self.names = names }

  /// Adds a root: an object, each object in a collection, or a value as a node of its own.
  mutating func addRoot(_ root: Any) {
    let scan = ReferenceScan(types: types)
    if let list = root as? any ElementListing {
      list.visitElements { addRoot($0) }
    } else if type(of: root) is AnyClass {
      draft.roots.append(index(of: root as AnyObject))
    } else if let optional = root as? any OptionalRoot {
      if let wrapped = optional.contents { addRoot(wrapped) }
    } else if let labeled = root as? any LabeledPublisher {
      scan.scan(value: labeled)
      note(scan)
      draft.roots += scan.found.compactMap { index(of: $0.target) }
    } else {
      draft.roots.append(add(root, id: nil, label: nil))
    }
  }

  /// Follows the references of every object that was found, until no more is.
  mutating func followAll() {
    while next < targets.count {
      let scan = ReferenceScan(types: types)
      let target = targets[next]
      if type(of: target) is AnyClass {
        scan.scan(target as AnyObject)
      } else {
        scan.scan(value: target)
      }
      note(scan)
      connect(next, scan)
      next += 1
    }
    for (id, name) in names {
      if let index = indices[id] { draft.nodes[index].label = name }
    }
  }

  private mutating func note(_ scan: ReferenceScan) {
    for (object, label) in scan.labels where names[ObjectIdentifier(object)] == nil {
      names[ObjectIdentifier(object)] = label
      labeled.append(object)
    }
  }

  private mutating func connect(_ owner: Int, _ scan: ReferenceScan) {
    var known: [Int: [Int]] = [:]
    for found in scan.found {
      let wording = Wording(found.path)
      guard let owned = index(of: found.target) else {
        draft.nodes[owner].busy.append(wording.role)
        continue
      }
      // What goes round within one node is an affair of its parts.
      if owned == owner, found.path.steps.count > 1 { continue }
      if wording.reference == "parent", found.path.steps.last.flatMap(Vocabulary.fact) != nil {
        draft.nodes[owner].name = draft.nodes[owned].name + ".Subscription"
      }
      draft.nodes[owner].add(
        GraphDraft.Edge(
          owned: owned, role: wording.role, reference: wording.reference, until: wording.until,
          isUnordered: found.isUnordered), &known)
    }
    for (path, count) in scan.counts {
      draft.nodes[owner].add(OwnershipGraph.Values(role: Wording(path).role, count: count))
    }
  }

  private mutating func index(of target: ReferenceScan.Target) -> Int? {
    switch target {
    case .busy: nil
    case .object(let object): index(of: object)
    case .labeled(let mark, let publisher):
      add(publisher, id: ObjectIdentifier(mark), label: mark.name)
    }
  }

  private mutating func index(of object: AnyObject) -> Int {
    add(object, id: ObjectIdentifier(object), label: nil)
  }

  private mutating func add(_ target: Any, id: ObjectIdentifier?, label: String?) -> Int {
    if let id, let known = indices[id] { return known }
    let isObject = type(of: target) is AnyClass
    let name = Vocabulary.nodeName(of: types[type(of: target)].name)
    draft.nodes.append(GraphDraft.Node(name: name, label: label, object: isObject ? id : nil))
    targets.append(target)
    if let id { indices[id] = draft.nodes.count - 1 }
    return draft.nodes.count - 1
  }
}

private protocol OptionalRoot {
  var contents: Any? { get }
}

extension Optional: OptionalRoot {
  var contents: Any? { map { $0 } }
}

@available(*, unavailable)
extension GraphBuilder: Sendable {}
