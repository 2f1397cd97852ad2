internal import Fanout
internal import FanoutEngine

extension LifetimeTracker {
  /// The number of live objects that Fanout made while this tracker was current.
  ///
  /// The property serves tests that run for long: after each round the numbers must be the same. An
  /// object that a closure makes on a thread of its own is not counted, unless ``perform(_:)``
  /// makes the tracker current there. Trackers do not see each other's objects.
  ///
  /// - Cost: O(objects alive), in time and in memory.
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

  /// The live objects, without inner parts, that Fanout made while this tracker was current.
  ///
  /// A graph of their holders begins at these objects.
  package var creationReferences: [WeakReference] {
    creations.withLock { $0.creations }.filter { !$0.isPart }.map(\.reference)
  }

  /// The live inner parts that Fanout made while this tracker was current.
  var parts: [AnyObject] {
    creations.withLock { $0.creations }.filter(\.isPart).compactMap(\.reference.object)
  }

  /// The subscriptions and connections among them that still hold an object.
  ///
  /// A connection that only its subscribers keep is left out with the chain that feeds it: the
  /// subscriptions of those subscribers are listed instead.
  package var liveSources: [AnyObject] {
    creations.withLock { $0.creations }.compactMap { creation in
      guard let object = creation.reference.object else { return nil }
      // A loop over `values` is listed by its subscription, which is one of its publisher's.
      if Self.isPullLoop(object) { return object }
      guard let source = object as? DeliverySource, !source.isOver else { return nil }
      let held = (source as? any ReferenceListing)?.heldReferences
      guard held?.contains(where: \.isRetained) ?? true else { return nil }
      let connection = Self.end(below: source) as? any ClaimedConnection
      return connection?.isClaimedByHand ?? true ? source : nil
    }
  }

  /// Returns whether an object is the place of a loop that fetches its values and has not left.
  private static func isPullLoop(_ object: AnyObject) -> Bool {
    guard let loop = object as? any ValueLoop, !(loop is ChainNode) else { return false }
    return !loop.isOver
  }

  /// Returns the object at which the values of a source arrive: a connection, a loop, or the last
  /// of Fanout's subscribers.
  package static func end(below source: AnyObject) -> AnyObject {
    var current = source
    while !(current is any ClaimedConnection), !(current is any ValueLoop),
      let next = next(below: current)
    { current = next }
    return current
  }

  private static func next(below object: AnyObject) -> AnyObject? {
    let onward: Set = ["stage", "receiver", "downstream"]
    for held in (object as? any ReferenceListing)?.heldReferences ?? [] {
      guard onward.contains(held.name), case .value(let value) = held.target else { continue }
      if type(of: value) is AnyClass { return value as AnyObject }
    }
    return nil
  }

  /// Returns the word for an object's type, without generic arguments.
  ///
  /// All subscriptions share one word, and so do all loops and all connections.
  package static func kind(of object: AnyObject) -> String {
    switch ObjectRole(of: type(of: object)) {
    case .loop: "Loop"
    case .connection: "Connection"
    case .subscription: object is any HubSink ? "Sink" : "Subscription"
    case .subject, .source, .other: String("\(type(of: object))".prefix { $0 != "<" })
    }
  }
}

/// The numbers of live objects that Fanout made while a tracker was current.
public struct LiveObjects: Hashable, Sendable, CustomStringConvertible {
  /// The number of objects of each type that a user can hold: subjects, sinks, cancellables, shared
  /// publishers, and under one name each every kind of subscription and of connection.
  public let byType: [String: Int]
  /// The number of objects of each type that only other objects of Fanout's hold.
  public let parts: [String: Int]

  /// The number of objects that a user can hold, of all types together.
  public var total: Int { byType.values.reduce(0, +) }

  /// The types in alphabetical order, each with its number.
  public var description: String {
    guard !byType.isEmpty else { return "none" }
    return byType.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
  }
}
