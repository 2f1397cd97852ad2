internal import Fanout
internal import FanoutEngine

/// The holders of all objects that a tracker knows, found by one pass over them.
///
/// Other threads may be using the program's own objects, so their variables are read from copies.
package struct LeakReport {
  /// The objects that the report examines, and the references between them.
  package let graph: OwnershipGraph
  private let index: HolderIndex

  /// Examines the objects that a tracker knows.
  package init(_ tracker: LifetimeTracker, reader: RuntimeReader = .shared) {
    let tracked = tracker.namedObjects.compactMap { entry in
      entry.reference.object.map { (object: $0, name: entry.name) }
    }
    let names = Dictionary(
      tracked.map { (ObjectIdentifier($0.object), $0.name) }, uniquingKeysWith: { $1 })
    let roots = tracker.creationReferences.compactMap(\.object) + tracked.map(\.object)
    graph = OwnershipGraph(
      roots: roots, names: names, isShared: true, parts: tracker.parts, reader: reader)
    index = HolderIndex(graph)
  }

  /// Explains in words why an object is still alive.
  package func reason(for object: AnyObject) -> String {
    let reason = reasonAsFarAsRead(for: object)
    return graph.unreadText.map { "\(reason); \($0)" } ?? reason
  }

  private func reasonAsFarAsRead(for object: AnyObject) -> String {
    let holders = index.holders(of: object)
    guard holders.isEmpty else {
      let shown = holders.prefix(Self.mostHolders)
      let more = index.holderCount(of: object) - shown.count
      return "retained by " + shown.joined(separator: "; and by ")
        + (more > 0 ? "; and \(Wording.counted(more, "more holder"))" : "")
    }
    guard let waiting else { return Self.unexplained + limits(without: nil) }
    return
      "nothing that Fanout knows of holds it, but \(waiting); if it is not that, look for a cycle "
      + "of your own, a stored closure, another task or a global"
      + limits(without: .task)
  }

  /// The number of holders to name.
  private static let mostHolders = 3

  /// Returns a text about the references that a graph never reads, each of which may be the one to
  /// the object.
  ///
  /// - Parameter told: A kind of them that the report has told of already.
  /// - Returns: The text; an empty one if there are none.
  private func limits(without told: ReadingLimit?) -> String {
    let unread = graph.nodes.flatMap { node in
      node.unreadReferences.compactMap { reference in
        reference.limit.flatMap { limit in
          limit == told
            ? nil : "\(node.nameAndLabel).\(reference.role) (\(limit.rawValue))"
        }
      }
    }
    var seen: Set<String> = []
    let texts = unread.filter { seen.insert($0).inserted }
    guard !texts.isEmpty else { return "" }
    let more = texts.count - Self.mostHolders
    return "; not read: " + texts.prefix(Self.mostHolders).joined(separator: ", ")
      + (more > 0 ? " and \(Wording.grouped(more)) more" : "")
  }

  /// Returns the holder of a subscription or a loop, in words that follow "retained by"; nil if
  /// none is known.
  func holder(ofSource source: AnyObject) -> String? {
    if let loop = source as? any ValueLoop, loop.waitingTasks > 0 {
      return "the task that waits in it"
    }
    return index.holders(of: source, isSubscription: true).first
  }

  /// The explanation if no holder is known.
  private static let unexplained =
    "nothing that Fanout knows of holds it; look for a cycle of your own, a stored closure, a task "
    + "or a global"

  /// A text about the loops in which tasks wait, or else about the running loops; nil if there are
  /// none.
  ///
  /// The text stands in for the objects that a task holds, which cannot be read.
  private var waiting: String? {
    let live = graph.nodes.filter { !($0.loop?.isOver ?? true) }
    let loops = live.filter { ($0.loop?.waitingTasks ?? 0) > 0 }
    guard let first = loops.first ?? live.first, let call = first.loop?.call else { return nil }
    let publisher = publisher(above: first.id)
    let source = publisher.map { " of \($0)" } ?? ""
    let end = " until the task is cancelled or the publisher ends"
    if loops.isEmpty {
      return "a loop over `\(call)`\(source) goes on, and its task holds what that loop uses" + end
    }
    // A cancelled task continues to wait for a future.
    if loops.count == 1, publisher?.hasPrefix("Future") ?? false {
      return "a task waits for the value\(source), and holds what it uses until there is one"
    }
    return loops.count == 1
      ? "a task waits in a loop over `\(call)`\(source), and holds what that loop uses" + end
      : "\(Wording.grouped(loops.count)) tasks wait in loops, the first over `\(call)`\(source), "
        + "and each holds what its loop uses" + end
  }

  /// Returns the nearest publisher above a loop: one with a name, a subject or a share.
  private func publisher(above loop: OwnershipGraph.Node.ID) -> String? {
    var queue = [loop]
    var seen: Set = [loop]
    var done = 0
    while done < queue.count, done < 1000 {
      let node = graph.nodes[queue[done]]
      if done > 0, [.subject, .source].contains(node.role) { return node.nameAndLabel }
      for index in graph.outgoing[node.id] where seen.insert(graph.edges[index].owned).inserted {
        queue.append(graph.edges[index].owned)
      }
      done += 1
    }
    return nil
  }
}
