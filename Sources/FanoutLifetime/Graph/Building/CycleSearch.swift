/// Finds the rings of a graph: one for each reference that leads back to a branch that it is on.
struct CycleSearch {
  private(set) var cycles: [OwnershipGraph.Cycle] = []

  /// How many nodes the rings may have together; those found behind that are left out.
  private static let mostNodes = 1_000_000

  private enum State { case new, open, done }

  init(_ order: GraphOrder) {
    var states = [State](repeating: .new, count: order.nodes.count)
    var places = [Int](repeating: 0, count: order.nodes.count)
    var total = 0
    for root in order.roots where states[root] == .new {
      // The branch, and per node on it how many of its edges were taken.
      var branch: [(node: Int, taken: Int)] = [(root, 0)]
      states[root] = .open
      places[root] = 0
      while let (node, taken) = branch.last {
        guard taken < order.outgoing[node].count else {
          states[node] = .done
          branch.removeLast()
          continue
        }
        branch[branch.count - 1].taken += 1
        let owned = order.edges[order.outgoing[node][taken]].owned
        switch states[owned] {
        case .new:
          states[owned] = .open
          places[owned] = branch.count
          branch.append((owned, 0))
        case .open:
          let ring = branch[places[owned]...]
          total += ring.count
          guard total <= Self.mostNodes || cycles.isEmpty else { break }
          cycles.append(Self.cycle(ring.map { ($0.node, $0.taken - 1) }, order))
        case .done: break
        }
      }
    }
  }

  private static func cycle(
    _ ring: [(node: Int, edge: Int)], _ order: GraphOrder
  ) -> OwnershipGraph.Cycle {
    var events: [String] = []
    for (node, edge) in ring {
      events += order.edges[order.outgoing[node][edge]].until
    }
    let closing = ring.last.map { order.outgoing[$0.node][$0.edge] } ?? 0
    return OwnershipGraph.Cycle(
      nodes: ring.map(\.node), brokenBy: Wording.inOrder(events), closingEdge: closing)
  }
}
