/// A draft in the order in which its tree is printed: the same in each run of a program.
struct GraphOrder {
  private(set) var nodes: [OwnershipGraph.Node] = []
  private(set) var edges: [OwnershipGraph.Edge] = []
  private(set) var outgoing: [[Int]] = []
  private(set) var roots: [Int] = []
  /// The kinds of things that were met and are not laid out as Fanout knows them.
  let unread: Set<Reading>

  init(_ draft: GraphDraft) {
    let draft = draft.withOrderedEdges
    unread = draft.unread
    let order = Self.depthFirst(draft)
    var places = [Int](repeating: 0, count: order.count)
    for (place, index) in order.enumerated() { places[index] = place }
    roots = draft.roots.map { places[$0] }
    var totals: [String: Int] = [:]
    for node in draft.nodes where node.label == nil { totals[node.name, default: 0] += 1 }
    var counted: [String: Int] = [:]
    for (place, index) in order.enumerated() {
      let node = draft.nodes[index]
      var number: Int?
      if node.label == nil, totals[node.name, default: 0] > 1 {
        counted[node.name, default: 0] += 1
        number = counted[node.name]
      }
      nodes.append(
        OwnershipGraph.Node(
          id: place, name: node.name, label: node.label, number: number, object: node.object,
          values: node.values, busy: node.busy, unreadReferences: node.unread,
          loop: node.loop, role: node.objectRole, isPart: node.isPart))
      outgoing.append(Array(edges.count..<(edges.count + node.edges.count)))
      for edge in node.edges {
        edges.append(
          OwnershipGraph.Edge(
            owner: place, owned: places[edge.owned], role: edge.role, reference: edge.reference,
            until: edge.until))
      }
    }
  }

  /// The nodes in the order in which a walk from the roots meets them.
  private static func depthFirst(_ draft: GraphDraft) -> [Int] {
    var order: [Int] = []
    var isSeen = [Bool](repeating: false, count: draft.nodes.count)
    for root in draft.roots {
      var stack = [root]
      while let index = stack.popLast() {
        if isSeen[index] { continue }
        isSeen[index] = true
        order.append(index)
        stack += draft.nodes[index].edges.reversed().map(\.owned)
      }
    }
    return order
  }
}
