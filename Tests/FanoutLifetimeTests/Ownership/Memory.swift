import FanoutEngine
import FanoutLifetime

/// A comparison of what an object holds in memory with what it tells.
enum Memory {
  private static let reader = Lock(StoredReference.Reader())

  /// Returns the stored properties that lead to an object of which their owner does not tell.
  static func untold(in walk: Walk) -> Set<String> {
    var told: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    for edge in walk.edges where type(of: edge.owner) is AnyClass {
      told[ObjectIdentifier(edge.owner as AnyObject), default: []].formUnion(
        edge.targets.map { ObjectIdentifier($0) })
    }
    var untold: Set<String> = []
    for (id, owner) in walk.objects where Samples.isFanouts(type(of: owner)) {
      for property in reader.withLock({ $0.memory(of: owner) }) {
        let isTold = property.objects.allSatisfy {
          $0 === owner || told[id, default: []].contains(ObjectIdentifier($0))
        }
        if !isTold { untold.insert("\(Ownership.name(of: type(of: owner))).\(property.name)") }
      }
    }
    return untold
  }

  /// Returns the properties behind locks and atomics that may hold an object, and of which no object of their class
  /// tells in any sample.
  static var neverTold: Set<String> {
    var told: Set<String> = []
    var all: Set<String> = []
    let references = Samples.references.union(Samples.inTransit).union(InTransit.shownElsewhere)
    let names = Dictionary(grouping: references, by: \.owner).mapValues { references in
      Set(references.map { $0.name.prefix { $0 != "." } })
    }
    for (name, type) in Samples.types {
      guard let type = type as? any AnyObject.Type else { continue }
      for property in GuardedProperty.all(of: type) where property.mayHold {
        all.insert(property.path)
        let last = property.path.split(separator: ".").last ?? ""
        if names[name, default: []].contains(last) { told.insert(property.path) }
      }
    }
    return all.subtracting(told)
  }

  /// The guarded properties of which no object tells, and the reason.
  static let guardedExceptions: [String: String] = [:]

  /// The properties that lead to objects of which their owner does not tell, and the reason.
  static let exceptions: [String: String] = [
    "CollectByCount.Body.state": "busy, because the upstream is not Fanout's",
    "LatestValue.latest": "told by the subscription, as sources.latest",
    "ZippedValues.values": "told by the subscription, as sources.values",
    "LimitedBacklog.place": "told by the cursor, as backlog.place",
    "LimitedBacklog.policy": "told by the cursor, as backlog.makeEnd",
    "PullLog.cursors": "told by the hub, as inbox.tap.cursors",
  ]
}
