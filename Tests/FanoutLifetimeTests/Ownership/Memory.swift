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

  /// The locks and atomics of which no object of their class tells in any sample.
  ///
  /// Memory does not show what they hold, so that the tests cannot compare it with what is told.
  static let neverTold: Set<String> = {
    let references = Samples.references.union(Samples.inTransit).union(InTransit.shownElsewhere)
    let told = Dictionary(grouping: references, by: \.owner).mapValues { references in
      Set(references.map { String($0.name.prefix { $0 != "." }) })
    }
    var (all, found): (Set<String>, Set<String>) = ([], [])
    for (name, type) in Samples.types {
      guard let type = type as? any AnyObject.Type else { continue }
      for (owner, property) in guarded(in: type) {
        all.insert("\(owner).\(property)")
        if told[name, default: []].contains(property) { found.insert("\(owner).\(property)") }
      }
    }
    return all.subtracting(found)
  }()

  /// Returns the constants that cannot be copied, such as locks and atomics, each with the class that declares it.
  private static func guarded(
    in type: any AnyObject.Type
  ) -> [(owner: String, property: String)] {
    var found: [(String, String)] = []
    var next: AnyClass? = type
    while let current = next {
      next = _getSuperclass(current)
      let inherited = next.map { StoredProperty.all(of: $0).count } ?? 0
      found += StoredProperty.all(of: current).dropFirst(inherited)
        .filter { $0.type is Void.Type && !$0.isVariable }
        .map { (Ownership.name(of: current), $0.name) }
    }
    return found
  }

  /// The locks and atomics that hold nothing to tell of, or of which is told by another name: by name, or by class and
  /// name.
  static let withoutReferences: Set<String> = Set(
    (numbers + " " + """
      AsyncMapWorkers.state CallbackSubscription.life Future.task Generations.followers PrintedLines.waiting
      ResumingSteps.waiting ScheduledTimer.state
      """).split(whereSeparator: \.isWhitespace).map(String.init))

  /// Numbers and marks.
  private static let numbers = """
    allowed asked asking awaited batchLock cancelled disallowsDrops drain expired hasAsked hasCancelled hasLeft \
    hasLetGo hasStarted holdsValue inboxLock \
    isCalling isCancelled isOpen isPullable isStarting outstanding \
    pending requested signals visitor word \
    FinalValueSubscription.state LingeringCounter.state ThresholdCounter.state
    """

  /// The properties that lead to objects of which their owner does not tell, and the reason.
  static let exceptions: [String: String] = [
    "BacklogLimits.upstream": "told by the hub, as limits.upstream",
    "BacklogMeasure.conflation": "told by the cursor, as backlog.keys",
    "BacklogMeasure.meter": "told by the cursor, as backlog.times, .costs and .cost",
    "CustomCache.copy": "told by the hub, as cache.kept",
    "CustomCache.headers": "told by the hub, as cache.kept",
    "CustomCache.record": "told by the hub, as cache.kept",
    "HeaderCache.contents": "told by the hub, as headers.kept",
    "HeaderCache.record": "told by the hub, as headers.kept",
    "CollectByCount.Body.state": "busy, because the upstream is not Fanout's",
    "Hub.inbox": "told by the hub, as inbox.work, .values, .controls, .pullLog, .newest and .end",
    "LimitedBacklog.measure": "told by the cursor, as backlog.measure",
    "LimitedBacklog.place": "told by the cursor, as backlog.place",
    "LimitedBacklog.selection": "told by the cursor, as backlog.selects",
    "LimitedBacklog.policy": "told by the cursor, as backlog.makeEnd and other closures",
    "PullLog.cursors": "told by the hub, as inbox.pullLog.cursors",
    "ReplaceError.Body.state": "busy, because the upstream is not Fanout's",
  ]
}
