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
    var unread: [OwnershipGraph.UnreadReference] = []
    var objectRole = ObjectRole.other
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
  /// The kinds of things that were met and are not laid out as Fanout knows them.
  var unread: Set<Reading> = []

  /// Notes references of a node that cannot be read.
  mutating func note(_ unread: [Unread], of node: Int) {
    for reference in unread {
      if case .layout(let reading) = reference.reason { self.unread.insert(reading) }
      let noted = OwnershipGraph.UnreadReference(
        role: Wording(reference.path).role, reason: reference.reason)
      if !nodes[node].unread.contains(noted) { nodes[node].unread.append(noted) }
    }
  }
}

extension GraphDraft {
  /// With the edges that come from collections without an order put into one that depends on what
  /// they lead to alone.
  var withOrderedEdges: GraphDraft {
    guard nodes.contains(where: { $0.edges.contains(where: \.isUnordered) }) else { return self }
    let colors = colors
    var ordered = self
    for index in nodes.indices {
      ordered.nodes[index].edges = Self.sorted(nodes[index].edges) { edge in
        (nodes[edge.owned].name, nodes[edge.owned].label ?? "", colors[edge.owned])
      }
    }
    return ordered
  }

  /// Sorts each run of edges of one role from such a collection, and leaves the others in place.
  private static func sorted(
    _ edges: [Edge], by key: (Edge) -> (String, String, UInt64)
  ) -> [Edge] {
    var result = edges
    var start = 0
    while start < edges.count {
      var end = start + 1
      while end < edges.count, edges[start].isUnordered, edges[end].isUnordered,
        edges[start].role == edges[end].role
      { end += 1 }
      if end - start > 1 { result[start..<end].sort { key($0) < key($1) } }
      start = end
    }
    return result
  }

  /// A number per node that says what it looks like, some steps far.
  private var colors: [UInt64] {
    func mix(_ hash: UInt64, _ value: UInt64) -> UInt64 { (hash ^ value) &* 0x0000_0100_0000_01B3 }
    func hash(_ text: String) -> UInt64 {
      text.utf8.reduce(0xCBF2_9CE4_8422_2325) { mix($0, UInt64($1)) }
    }
    var colors = nodes.map { node in
      node.values.reduce(hash(node.name + "'" + (node.label ?? ""))) {
        mix(mix($0, hash($1.role)), UInt64($1.count))
      }
    }
    for _ in 0..<8 {
      colors = nodes.indices.map { index in
        let children = nodes[index].edges.map { mix(hash($0.role), colors[$0.owned]) }.sorted()
        return children.reduce(mix(colors[index], 1), mix)
      }
    }
    return colors
  }
}

/// The nodes of objects, by the objects' addresses.
final class KnownObjects {
  private var nodes: [ObjectIdentifier: Int] = [:]

  subscript(object: ObjectIdentifier) -> Int? {
    get { nodes[object] }
    set { nodes[object] = newValue }
  }
}
