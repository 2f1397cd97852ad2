/// The references of a graph by the object that they lead to, made once for all questions about
/// holders.
struct HolderIndex {
  /// The nearest node of one kind above each node.
  private struct Ways {
    /// The next node on the way up from each node; the node itself at the end; -1 where there is no
    /// way.
    var next: [Int]
    var distances: [Int]
    var ends: [Int]
  }

  private let graph: OwnershipGraph
  private let places: [ObjectIdentifier: Int]
  /// The references to each node from others.
  private let incoming: [[Int]]
  private var ways: [HolderChain.End: Ways] = [:]

  /// The number of references to one object that are followed up.
  private static let mostReferences = 100
  /// The number of references that are examined to find the way from one object back to itself.
  private static let mostSteps = 1000
  /// The number of references to an object above which it is searched last: a subject with many
  /// subscribers would use up the steps.
  private static let many = 16

  init(_ graph: OwnershipGraph) {
    self.graph = graph
    var places: [ObjectIdentifier: Int] = [:]
    for node in graph.nodes {
      if let object = node.object { places[object] = node.id }
    }
    self.places = places
    var incoming = [[Int]](repeating: [], count: graph.nodes.count)
    for (index, edge) in graph.edges.enumerated() where edge.owner != edge.owned {
      incoming[edge.owned].append(index)
    }
    self.incoming = incoming
    for end in [HolderChain.End.labeled, .awaited, .unheld, .subject, .subscription] {
      ways[end] = Self.ways(
        from: graph.nodes.indices.filter {
          Self.isEnd(graph.nodes[$0], isHeld: !incoming[$0].isEmpty, end)
        }, in: graph)
    }
  }

  private static func isEnd(
    _ node: OwnershipGraph.Node, isHeld: Bool, _ end: HolderChain.End
  ) -> Bool {
    switch end {
    case .labeled: node.label != nil
    case .awaited: (node.loop?.waitingTasks ?? 0) > 0
    case .unheld: !isHeld && !node.isPart
    case .subject: node.role == .subject
    case .subscription: node.role == .subscription
    case .itself, .somebody: false
    }
  }

  private static func ways(from ends: [Int], in graph: OwnershipGraph) -> Ways {
    let none = [Int](repeating: -1, count: graph.nodes.count)
    var ways = Ways(next: none, distances: none, ends: none)
    for end in ends {
      ways.next[end] = end
      ways.distances[end] = 1
      ways.ends[end] = end
    }
    var queue = ends
    var done = 0
    while done < queue.count {
      let node = queue[done]
      done += 1
      for index in graph.outgoing[node] {
        let owned = graph.edges[index].owned
        guard ways.next[owned] == -1 else { continue }
        ways.next[owned] = node
        ways.distances[owned] = ways.distances[node] + 1
        ways.ends[owned] = ways.ends[node]
        queue.append(owned)
      }
    }
    return ways
  }

  /// Returns the chains of holders that keep an object alive: a text for each reference to it, the
  /// most useful one first.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - isSubscription: Whether it is a subscription. A subscription always forms a cycle with its
  ///     publisher, so a holder outside the cycle is more useful.
  /// - Returns: The texts; none if the object is not in the graph.
  func holders(of object: AnyObject, isSubscription: Bool = false) -> [String] {
    guard let held = places[ObjectIdentifier(object)] else { return [] }
    var chains = incoming[held].prefix(Self.mostReferences).map {
      chain(above: $0, to: held, isSubscription: isSubscription)
    }
    chains += graph.outgoing[held].filter { graph.edges[$0].owned == held }
      .map { HolderChain(edge: $0, nodes: [], end: .itself) }
    var texts: [String] = []
    var seen: Set<String> = []
    chains.sort()
    if isSubscription {
      chains = chains.filter { $0.end != .itself } + chains.filter { $0.end == .itself }
    }
    for chain in chains {
      var text = text(chain)
      if isSubscription, chain.end == .unheld {
        text += ", which something unknown to Fanout holds: look for a property or a global"
      }
      if seen.insert(text).inserted { texts.append(text) }
    }
    return texts
  }

  /// Returns the number of references to an object, each from a holder.
  func holderCount(of object: AnyObject) -> Int {
    guard let held = places[ObjectIdentifier(object)] else { return 0 }
    return incoming[held].count + graph.outgoing[held].count { graph.edges[$0].owned == held }
  }

  /// Returns the most useful chain of holders above a reference.
  private func chain(above edge: Int, to held: Int, isSubscription: Bool) -> HolderChain {
    let start = graph.edges[edge].owner
    if let found = way(to: .labeled, above: edge, avoiding: held) { return found }
    if let found = way(to: .awaited, above: edge, avoiding: held) { return found }
    if isSubscription, let found = way(to: .unheld, above: edge, avoiding: held) { return found }
    if let ring = ring(above: edge, to: held) {
      return HolderChain(edge: edge, nodes: ring, end: .itself)
    }
    if let found = way(to: .unheld, above: edge, avoiding: held) { return found }
    if let found = way(to: .subject, above: edge, avoiding: held) { return found }
    if let found = way(to: .subscription, above: edge, avoiding: held) { return found }
    return HolderChain(edge: edge, nodes: [start], end: .somebody)
  }

  private func way(
    to end: HolderChain.End, above edge: Int, avoiding held: Int
  ) -> HolderChain? {
    guard let ways = ways[end] else { return nil }
    var node = graph.edges[edge].owner
    guard ways.next[node] != -1 else { return nil }
    let length = ways.distances[node]
    let last = ways.ends[node]
    var nodes = [node]
    while node != last, nodes.count < HolderChain.longest {
      node = ways.next[node]
      if node == held { return nil }
      nodes.append(node)
    }
    if node != last { nodes[nodes.count - 1] = last }
    return HolderChain(edge: edge, nodes: nodes, length: length, end: end)
  }

  /// Returns the nodes from a reference's owner up to one that the object itself holds.
  private func ring(above edge: Int, to held: Int) -> [Int]? {
    guard graph.outgoing[held].contains(where: { graph.edges[$0].owned != held }) else {
      return nil
    }
    let start = graph.edges[edge].owner
    var below: [Int: Int] = [start: start]
    var queue = [start]
    var wide: [Int] = []
    var done = 0
    var steps = 0
    while steps < Self.mostSteps {
      if done == queue.count {
        guard !wide.isEmpty else { return nil }
        swap(&queue, &wide)
        wide = []
        done = 0
      }
      let node = queue[done]
      done += 1
      if incoming[node].contains(where: { graph.edges[$0].owner == held }) {
        var nodes = [node]
        while let last = nodes.last, last != start, let lower = below[last] { nodes.append(lower) }
        return nodes.reversed()
      }
      for index in incoming[node] {
        steps += 1
        let owner = graph.edges[index].owner
        guard below[owner] == nil, owner != held else { continue }
        below[owner] = node
        if incoming[owner].count > Self.many { wide.append(owner) } else { queue.append(owner) }
      }
    }
    return nil
  }

  private func text(_ chain: HolderChain) -> String {
    let edge = graph.edges[chain.edge]
    var names = chain.nodes.map { graph.nodes[$0].nameAndLabel }
    // Within a value the path is more precise than the role of the whole.
    let isWhole = !edge.reference.contains(".") || Ownership.hasWord(edge.reference)
    let isRole = !edge.role.contains(" ") && isWhole
    let owner = names.first ?? graph.nodes[edge.owned].nameAndLabel
    // The path of a property inside Fanout's own objects means nothing to a reader.
    let isInner = isWhole && edge.reference.contains(".") && !isRole
    let reference = isInner ? " (\(edge.role))" : "." + (isRole ? edge.role : edge.reference)
    names = ["\(owner)\(reference)"] + names.dropFirst()
    if chain.length > HolderChain.longest, let last = names.last {
      let first = names.prefix(5)
      names = first + ["… \(Wording.grouped(chain.length - 6)) more …", last]
    }
    if chain.end == .itself { names.append("itself") }
    if chain.end == .awaited { names.append("the task that waits in it") }
    let until = edge.until.isEmpty ? "" : " (until \(Wording.alternatives(edge.until)))"
    return names.joined(separator: " ← ") + until
  }
}

extension OwnershipGraph.Node {
  /// The name with the label, but without the number, which means nothing outside the tree.
  var nameAndLabel: String { label.map { "\(name) '\($0)'" } ?? name }
}

/// A chain of holders from a reference up to one that a programmer can change.
struct HolderChain: Comparable {
  /// The kind of holder at the end of a chain, the most useful one first.
  enum End: Comparable, CaseIterable {
    case labeled, awaited, itself, unheld, subject, subscription, somebody
  }

  let edge: Int
  /// The nodes from the reference's owner upwards; of many only the first ones and the last one.
  let nodes: [Int]
  /// The number of nodes in the whole chain.
  let length: Int
  let end: End

  /// The greatest number of nodes of a chain to show.
  static let longest = 10

  init(edge: Int, nodes: [Int], end: End) {
    self.init(edge: edge, nodes: nodes, length: nodes.count, end: end)
  }

  init(edge: Int, nodes: [Int], length: Int, end: End) {
    self.edge = edge
    self.nodes = nodes
    self.length = length
    self.end = end
  }

  static func < (left: HolderChain, right: HolderChain) -> Bool {
    (left.end, left.length, left.edge) < (right.end, right.length, right.edge)
  }
}
