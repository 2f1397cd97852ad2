internal import Fanout
internal import FanoutEngine

extension LifetimeTracker {
  /// How many of Fanout's own objects are alive, of those made while this tracker was current.
  ///
  /// For tests that run for long: after each round the numbers must be what they were. What a
  /// closure makes on a thread of its own is not counted, unless ``perform(_:)`` makes the tracker
  /// current there. Trackers do not see each other's objects.
  ///
  /// - Cost: O(objects alive), here and in memory.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// let tracker = LifetimeTracker()
  /// tracker.perform {
  ///   let ticks = PassthroughSubject<Int, Never>()
  ///   let shared = ticks.map { $0 * 2 }.share()
  ///   let watching = shared.sink { _ in }
  ///   print(tracker.liveObjects.byType["Connection", default: 0])
  ///   watching.cancel()
  ///   print(tracker.liveObjects.byType["Connection", default: 0])
  /// }
  /// print(tracker.liveObjects.total)
  /// // Prints:
  /// // 1
  /// // 0
  /// // 0
  /// ```
  public var liveObjects: LiveObjects {
    var byType: [String: Int] = [:]
    var parts: [String: Int] = [:]
    for creation in creations.withLock({ $0.creations }) {
      guard let object = creation.reference.object else { continue }
      let kind = Self.kind(of: object)
      if creation.isPart { parts[kind, default: 0] += 1 } else { byType[kind, default: 0] += 1 }
    }
    return LiveObjects(byType: byType, parts: parts)
  }

  /// The objects of Fanout's that were made while this tracker was current and are alive, without
  /// inner parts: where a graph of who holds whom begins.
  package var creationReferences: [WeakReference] {
    creations.withLock { $0.creations }.filter { !$0.isPart }.map(\.reference)
  }

  /// The subscriptions and connections among them that still hold something.
  ///
  /// A connection that its subscribers keep is theirs, and so is the chain that feeds it: whose they
  /// are is said of them.
  package var liveSources: [AnyObject] {
    creations.withLock { $0.creations }.compactMap { creation in
      guard let source = creation.reference.object as? DeliverySource, !source.isOver else {
        return nil
      }
      let held = (source as? any ReferenceListing)?.heldReferences
      guard held?.contains(where: \.isRetained) ?? true else { return nil }
      let connection = Self.end(below: source) as? any ClaimedConnection
      return connection?.isClaimedByHand ?? true ? source : nil
    }
  }

  /// Where what comes from a source arrives: at a connection, or at the last subscriber of Fanout's.
  private static func end(below source: AnyObject) -> AnyObject {
    var current = source
    while !(current is any ClaimedConnection), let next = next(below: current) { current = next }
    return current
  }

  private static func next(below object: AnyObject) -> AnyObject? {
    let onward: Set = ["stage", "receiver", "body", "downstream", "subscriber"]
    for held in (object as? any ReferenceListing)?.heldReferences ?? [] {
      guard onward.contains(held.name), case .value(let value) = held.target else { continue }
      if type(of: value) is AnyClass { return value as AnyObject }
    }
    return nil
  }

  /// The word for an object's type: without what it is generic over, and one for every subscription.
  package static func kind(of object: AnyObject) -> String {
    let name = String("\(type(of: object))".prefix { $0 != "<" })
    if name.hasSuffix("Connection") { return "Connection" }
    return object is DeliverySource || name.hasSuffix("Subscription") ? "Subscription" : name
  }
}
