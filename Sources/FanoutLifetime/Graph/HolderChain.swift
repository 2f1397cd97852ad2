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
