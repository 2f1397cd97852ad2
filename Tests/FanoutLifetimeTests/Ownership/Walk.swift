import FanoutEngine
import FanoutLifetime

/// One stored reference that is set, found by going from object to object.
struct Edge {
  /// The object, or the struct, that has the reference.
  let owner: Any
  let ownerType: any Any.Type
  let reference: String
  let isRetained: Bool
  /// The objects that are reached through it, other than through another object.
  let targets: [AnyObject]

  var ownerName: String { Ownership.name(of: ownerType) }

  func shows(_ fact: Ownership.Fact) -> Bool {
    ownerName == fact.owner && reference == fact.reference
  }
}

/// Every reference that can be reached: Fanout's objects tell theirs, users' are reflected.
///
/// What is found is retained as long as the walk is.
struct Walk {
  private(set) var edges: [Edge] = []
  private(set) var objects: [ObjectIdentifier: AnyObject] = [:]
  private var pending: [AnyObject] = []

  init(from roots: [Any]) {
    for root in roots { visit(inside(root)) }
    while let object = pending.popLast() { follow(object) }
  }

  private mutating func visit(_ found: [AnyObject]) {
    for object in found where objects.updateValue(object, forKey: ObjectIdentifier(object)) == nil {
      pending.append(object)
    }
  }

  private mutating func follow(_ object: AnyObject) {
    guard let listing = object as? any ReferenceListing else {
      return reflect(object, Mirror(reflecting: object))
    }
    for held in listing.heldReferences {
      for (path, targets) in inside(held) {
        edges.append(
          Edge(
            owner: object, ownerType: type(of: object), reference: path,
            isRetained: held.isRetained, targets: targets))
        if held.isRetained { visit(targets) }
      }
    }
  }

  private mutating func reflect(_ object: AnyObject, _ mirror: Mirror?) {
    guard let mirror else { return }
    for child in mirror.children { visit(inside(child.value)) }
    reflect(object, mirror.superclassMirror)
  }

  /// The objects of a reference; those of a struct that a lock guards by their paths.
  private mutating func inside(_ held: HeldReference) -> [(path: String, targets: [AnyObject])] {
    switch held.target {
    case .busy: return []
    case .closure(let closure): return [(held.name, ClosureContext.objects(of: closure))]
    case .value(let value):
      let isState = ["state", "inbox", "made", "attachments", "target"].contains(held.name)
      guard isState else { return [(held.name, inside(value))] }
      return Mirror(reflecting: value).children.compactMap { child in
        let targets = inside(child.value)
        return targets.isEmpty ? nil : ("\(held.name).\(child.label ?? "")", targets)
      }
    }
  }

  /// The objects in a value: itself, or those in its elements and stored properties.
  private mutating func inside(_ value: Any) -> [AnyObject] {
    if type(of: value) is AnyClass { return [value as AnyObject] }
    let closure = ClosureContext.objects(of: value)
    if !closure.isEmpty { return closure }
    let mirror = Mirror(reflecting: value)
    var found: [AnyObject] = []
    for child in mirror.children {
      let objects = inside(child.value)
      found += objects
      guard mirror.displayStyle == .struct, let label = child.label else { continue }
      edges.append(
        Edge(
          owner: value, ownerType: type(of: value), reference: label, isRetained: true,
          targets: objects))
    }
    return found
  }
}
