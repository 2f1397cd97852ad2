/// The tree of a graph, line by line.
struct TreeDrawing {
  /// How many references of one role are shown before the rest are summed up.
  private static let longestRun = 20

  let graph: OwnershipGraph
  var lines: [String] = []
  private var shown: Set<Int> = []
  /// What is said of the references that close a cycle.
  private let remedies: [Int: String]

  private enum Item {
    case edge(Int, depth: Int)
    case note(String, depth: Int)
  }

  init(graph: OwnershipGraph) {
    self.graph = graph
    remedies = graph.remedies
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
        case .edge(let edge, let depth): items += draw(edge, depth)
        }
      }
    }
  }

  private mutating func draw(_ index: Int, _ depth: Int) -> [Item] {
    let edge = graph.edges[index]
    let line = "\(edge.role): \(graph.nodes[edge.owned].title)"
    if let remedy = remedies[index] {
      add("\(line) ↩ \(remedy)", depth)
      return []
    }
    let until = edge.until.isEmpty ? "" : " (until \(Wording.alternatives(edge.until)))"
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
    var items: [Item] = []
    var hidden: [(name: String, count: Int)] = []
    var run = (role: "", length: 0)
    for index in graph.outgoing[node] {
      let edge = graph.edges[index]
      run = edge.role == run.role ? (run.role, run.length + 1) : (edge.role, 1)
      if run.length <= Self.longestRun || !isLeaf(edge.owned) {
        items.append(.edge(index, depth: depth))
      } else {
        let name = "\(edge.role): \(graph.nodes[edge.owned].name)"
        if hidden.last?.name == name {
          hidden[hidden.count - 1].count += 1
        } else {
          hidden.append((name, 1))
        }
      }
    }
    for (name, count) in hidden {
      items.append(.note("\(name), \(Wording.grouped(count)) more", depth: depth))
    }
    for values in graph.nodes[node].values {
      items.append(.note(values.text, depth: depth))
    }
    for role in graph.nodes[node].busy {
      items.append(.note("\(role): being delivered just now", depth: depth))
    }
    return items.reversed()
  }

  private func isLeaf(_ node: Int) -> Bool {
    graph.outgoing[node].isEmpty && graph.nodes[node].values.isEmpty && !shown.contains(node)
  }

  private mutating func add(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }
}
