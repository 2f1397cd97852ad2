/// A graph in the order in which its objects were found.
struct GraphDraft {
  struct Node {
    let name: String
    var label: String?
    let object: ObjectIdentifier?
    var values: [OwnershipGraph.Values] = []
    var busy: [String] = []
    var edges: [Edge] = []
  }

  struct Edge {
    let owned: Int
    let role: String
    let reference: String
    let until: [String]
    /// Whether it comes from a collection without an order of its own.
    let isUnordered: Bool
  }

  var nodes: [Node] = []
  var roots: [Int] = []
}
