extension OwnershipGraph: CustomStringConvertible {
  /// The graph as an indented tree: a line per reference, with its role and what ends it.
  ///
  /// What has been shown before is named only; where the tree comes back to its own branch there is
  /// a cycle, with the events that break it.
  public var description: String {
    var tree = TreeDrawing(graph: self)
    tree.draw()
    return tree.lines.joined(separator: "\n")
  }
}

extension OwnershipGraph.Cycle {
  /// What breaks the cycle, in words.
  var remedy: String {
    brokenBy.isEmpty
      ? "broken only by changing one of the objects"
      : "broken by \(brokenBy.joined(separator: " or "))"
  }
}

/// The tree of a graph, line by line.
private struct TreeDrawing {
  /// How many references of one role are shown before the rest are summed up.
  private static let longestRun = 20

  let graph: OwnershipGraph
  var lines: [String] = []
  private var shown: Set<Int> = []
  private var branch: Set<Int> = []
  private var cycles: [OwnershipGraph.Cycle] = []

  private enum Item {
    case edge(Int, depth: Int)
    case close(Int)
    case note(String, depth: Int)
  }

  init(graph: OwnershipGraph) {
    self.graph = graph
    cycles = graph.cycles.reversed()
  }

  mutating func draw() {
    for root in graph.roots {
      let title = graph.nodes[root].title
      guard !shown.contains(root) else {
        lines.append("\(title) (see above)")
        continue
      }
      lines.append(title)
      var items = open(root, depth: 1)
      while let item = items.popLast() {
        switch item {
        case .note(let text, let depth): add(text, depth)
        case .close(let node): branch.remove(node)
        case .edge(let edge, let depth): items += draw(graph.edges[edge], depth)
        }
      }
    }
  }

  private mutating func draw(_ edge: OwnershipGraph.Edge, _ depth: Int) -> [Item] {
    let line = "\(edge.role): \(graph.nodes[edge.owned].title)"
    if branch.contains(edge.owned) {
      add("\(line) ↩ cycle: \(cycles.popLast()?.remedy ?? "")", depth)
      return []
    }
    let until = edge.until.isEmpty ? "" : " (until \(edge.until.joined(separator: " or ")))"
    if shown.contains(edge.owned) {
      add("\(line)\(until), see above", depth)
      return []
    }
    add(line + until, depth)
    return open(edge.owned, depth: depth + 1)
  }

  /// What is below a node, last first.
  private mutating func open(_ node: Int, depth: Int) -> [Item] {
    shown.insert(node)
    branch.insert(node)
    var items: [Item] = []
    var run = (role: "", length: 0)
    for index in graph.outgoing[node] {
      let edge = graph.edges[index]
      run = edge.role == run.role ? (run.role, run.length + 1) : (edge.role, 1)
      let isLeaf = graph.outgoing[edge.owned].isEmpty && !shown.contains(edge.owned)
      if run.length <= Self.longestRun || !isLeaf { items.append(.edge(index, depth: depth)) }
    }
    for values in graph.nodes[node].values {
      items.append(.note("\(values.role): \(values.text)", depth: depth))
    }
    for role in graph.nodes[node].busy {
      items.append(.note("\(role): in use by another thread", depth: depth))
    }
    return [.close(node)] + items.reversed()
  }

  private mutating func add(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }
}

extension OwnershipGraph.Values {
  /// The count in words, with commas between thousands.
  var text: String {
    guard count != 1 else { return "1 value" }
    var digits = ""
    for (place, digit) in String(count).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return String(digits.reversed()) + " values"
  }
}
