internal import FanoutEngine

/// Follows references from roots, object by object.
struct GraphBuilder {
  private(set) var draft = GraphDraft()
  private let types: TypeCatalog
  private var names: [ObjectIdentifier: String]
  private let known = KnownObjects()
  /// The objects and values of the nodes.
  ///
  /// All but the copied ones are retained, so that no other object takes their address meanwhile.
  private var targets: [Target] = []
  /// Objects that labels name, retained for the same reason.
  private var labeled: [AnyObject] = []
  /// Objects that were found to be inner parts of others; some are roots as well.
  private var inner: Set<ObjectIdentifier> = []
  private var next = 0
  /// Whether a program's own objects may be changed by other threads meanwhile.
  private let isShared: Bool
  /// The living inner parts, by address.
  ///
  /// A part becomes a node only if a variable of the program refers to it. It is also read while
  /// its holder is busy.
  private let parts: [ObjectIdentifier: AnyObject]
  /// The variables with their owners, which are read from copies after everything else.
  private var deferred: [(owner: Int, place: ReferenceScan.Deferred)] = []

  private enum Target {
    case value(Any)
    /// An object that is not retained, so that it may be gone by now.
    case copied(UInt, any Any.Type)
  }

  init(
    names: [ObjectIdentifier: String], isShared: Bool = false, parts: [AnyObject] = [],
    reader: RuntimeReader = .shared
  ) {
    types = TypeCatalog(reader)
    self.names = names
    self.isShared = isShared
    self.parts = Dictionary(
      parts.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { $1 })
  }

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
      follow(next, targets[next])
      next += 1
    }
    // Only now are all objects known that can be retained.
    var done = 0
    while done < deferred.count || next < targets.count {
      while done < deferred.count {
        let (owner, place) = deferred[done]
        followCopy(owner, place.address, place.type, place.path, place.isUnordered)
        done += 1
      }
      while next < targets.count {
        follow(next, targets[next])
        next += 1
      }
    }
    for (id, name) in names {
      if let index = known[id] { draft.nodes[index].label = name }
    }
    for id in inner {
      if let index = known[id] { draft.nodes[index].isPart = true }
    }
  }

  private mutating func follow(_ owner: Int, _ target: Target) {
    switch target {
    case .value(let target):
      let scan = ReferenceScan(
        types: types, defersVariables: isShared, retainedParts: parts)
      if type(of: target) is AnyClass {
        scan.scan(target as AnyObject)
      } else {
        scan.scan(value: target)
      }
      note(scan)
      connect(owner, scan)
      deferred += scan.deferred.map { (owner, $0) }
    case .copied(let address, let type):
      // Fanout's own objects list what they hold themselves, but only a retained one can be called.
      guard !Vocabulary.isOurs(types[type].name) else {
        let contents = ReferencePath().entering("contents", of: types[type].name)
        return draft.note([Unread(path: contents, reason: .limit(.unretained))], of: owner)
      }
      followCopy(owner, address, type, nil, false)
    }
  }

  private mutating func followCopy(
    _ owner: Int, _ address: UInt, _ type: any Any.Type, _ path: ReferencePath?, _ isUnordered: Bool
  ) {
    let scan = CopyScan(
      types: types, known: known, path: path ?? ReferencePath(), isUnordered: isUnordered)
    scan.scan(address, type, isObject: path == nil)
    draft.note(scan.unread, of: owner)
    var edges: [Int: [Int]] = [:]
    for (place, edge) in draft.nodes[owner].edges.enumerated() {
      edges[edge.owned, default: []].append(place)
    }
    for found in scan.found {
      guard let owned = index(of: found) else { continue }
      connect(owner, owned, Wording(found.path), isUnordered: found.isUnordered, &edges)
    }
  }

  private mutating func index(of found: CopyScan.Found) -> Int? {
    let id = RuntimeReader.identity(of: found.address)
    if let known = known[id] { return known }
    if let part = parts[id] { return index(of: part) }
    return found.type.map { add(found.address, $0) }
  }

  private mutating func add(_ address: UInt, _ type: any Any.Type) -> Int {
    let id = RuntimeReader.identity(of: address)
    if let known = known[id] { return known }
    let name = Vocabulary.nodeName(of: types[type].name)
    var node = GraphDraft.Node(name: name, label: nil, object: id)
    node.objectRole = types[type].role
    draft.nodes.append(node)
    targets.append(.copied(address, type))
    known[id] = draft.nodes.count - 1
    return draft.nodes.count - 1
  }

  private mutating func connect(
    _ owner: Int, _ owned: Int, _ wording: Wording, isUnordered: Bool, _ known: inout [Int: [Int]]
  ) {
    draft.nodes[owner].add(
      GraphDraft.Edge(
        owned: owned, role: wording.role, reference: wording.reference, until: wording.until,
        isUnordered: isUnordered), &known)
  }

  private mutating func note(_ scan: ReferenceScan) {
    inner.formUnion(scan.parts)
    for (object, label) in scan.labels where names[ObjectIdentifier(object)] == nil {
      names[ObjectIdentifier(object)] = label
      labeled.append(object)
    }
  }

  private mutating func connect(_ owner: Int, _ scan: ReferenceScan) {
    draft.note(scan.unread, of: owner)
    var edges: [Int: [Int]] = [:]
    for found in scan.found {
      let wording = Wording(found.path)
      guard let owned = index(of: found.target) else {
        draft.nodes[owner].busy.append(wording.role)
        continue
      }
      // What goes round within one node is an affair of its parts.
      if owned == owner, found.path.steps.count > 1 { continue }
      if wording.reference == "parent", found.path.steps.last.flatMap(Vocabulary.word)?.key != nil {
        draft.nodes[owner].name = draft.nodes[owned].name + ".Subscription"
        draft.nodes[owner].objectRole = .subscription
      }
      connect(owner, owned, wording, isUnordered: found.isUnordered, &edges)
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
    if let id, let known = known[id] { return known }
    let isObject = type(of: target) is AnyClass
    let name = Vocabulary.nodeName(of: types[type(of: target)].name)
    var node = GraphDraft.Node(name: name, label: label, object: isObject ? id : nil)
    node.objectRole = types[type(of: target)].role
    if isObject, node.objectRole == .loop, let loop = target as? any ValueLoop {
      node.loop = OwnershipGraph.Loop(
        call: type(of: loop).call, waitingTasks: loop.waitingTasks, isOver: loop.isOver)
    }
    draft.nodes.append(node)
    targets.append(.value(target))
    if let id { known[id] = draft.nodes.count - 1 }
    return draft.nodes.count - 1
  }
}

private protocol OptionalRoot {
  var contents: Any? { get }
}

extension Optional: OptionalRoot {
  var contents: Any? { map { $0 } }
}
