/// A graph in the order in which its objects were found.
struct GraphDraft {
  struct Node {
    var name: String
    var label: String?
    let object: ObjectIdentifier?
    var loop: OwnershipGraph.Loop?
    var isPart = false
    var values: [OwnershipGraph.Values] = []
    var busy: [String] = []
    var edges: [Edge] = []

    /// Adds a reference; one that says nothing new of the same two objects becomes part of it.
    ///
    /// `known` has the places of the edges so far, by what is owned.
    mutating func add(_ edge: Edge, _ known: inout [Int: [Int]]) {
      for index in known[edge.owned, default: []] {
        let old = edges[index].until
        guard edges[index].role == edge.role || old == edge.until else { continue }
        // The last of several to end is what counts.
        let both = old.filter(edge.until.contains)
        if both.isEmpty, !old.isEmpty, !edge.until.isEmpty { continue }
        edges[index].until = both
        return
      }
      known[edge.owned, default: []].append(edges.count)
      edges.append(edge)
    }

    /// Adds values to those of the same role.
    mutating func add(_ more: OwnershipGraph.Values) {
      if let index = values.firstIndex(where: { $0.role == more.role }) {
        let count = values[index].count + more.count
        values[index] = OwnershipGraph.Values(role: more.role, count: count)
      } else {
        values.append(more)
      }
    }
  }

  struct Edge {
    let owned: Int
    let role: String
    let reference: String
    var until: [String]
    /// Whether it comes from a collection without an order of its own.
    let isUnordered: Bool
  }

  var nodes: [Node] = []
  var roots: [Int] = []
}
