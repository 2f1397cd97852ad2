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
