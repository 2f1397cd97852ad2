/// The tree of a graph, drawn line by line.
struct TreeDrawing {
  /// The number of references of one role to show before the rest are summed up.
  private static let longestRun = 20
  /// The number of levels to show.
  private static let deepest = 100
  /// The number of lines to show.
  private static let mostLines = 2000

  let graph: OwnershipGraph
  var lines: [String] = []
  private var shown: Set<Int> = []
  /// The nodes that are only counted, because they lie too deep.
  private var omitted: Set<Int> = []
  /// The nodes that are shown as a number only.
  private var summedUp: Set<Int> = []
  /// The notes on the references that close a cycle.
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
      guard lines.count < Self.mostLines else { break }
      let title = graph.nodes[root].title
      guard !shown.contains(root) else {
        lines.append("\(title) (see above)")
        continue
      }
      lines.append(title)
      var items = open(root, depth: 1)
      while lines.count < Self.mostLines, let item = items.popLast() {
        switch item {
        case .note(let text, let depth): add(text, depth)
        case .edge(let edge, let depth): items += draw(edge, depth)
        }
      }
    }
    let left = graph.nodes.indices.count(where: {
      !shown.contains($0) && !omitted.contains($0) && !summedUp.contains($0)
    })
    if left > 0 { lines.append("… and \(Wording.grouped(left)) more") }
    if let text = graph.unreadText { lines.append(text) }
  }

  private mutating func draw(_ index: Int, _ depth: Int) -> [Item] {
    let edge = graph.edges[index]
    let line = "\(edge.role): \(graph.nodes[edge.owned].title)"
    if let remedy = remedies[index] {
      add("\(line) ↩ \(remedy)", depth)
      return []
    }
    let until = edge.until.isEmpty ? "" : " (until \(Wording.alternatives(edge.until)))"
    if shown.contains(edge.owned) || omitted.contains(edge.owned) {
      add("\(line)\(until), \(omitted.contains(edge.owned) ? "not shown" : "see above")", depth)
      return []
    }
    add(line + until, depth)
    return open(edge.owned, depth: depth + 1)
  }

  /// Returns the items below a node, last first.
  private mutating func open(_ node: Int, depth: Int) -> [Item] {
    shown.insert(node)
    if depth > Self.deepest, !graph.outgoing[node].isEmpty {
      let count = omitEverything(below: node)
      return count > 0 ? [.note("… and \(Wording.grouped(count)) more", depth: depth)] : []
    }
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
        summedUp.insert(edge.owned)
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
    for note in graph.nodes[node].notes { items.append(.note(note, depth: depth)) }
    return items.reversed()
  }

  /// Counts the nodes below a node that are neither shown nor going to be.
  private mutating func omitEverything(below node: Int) -> Int {
    let before = omitted.count
    var stack = [node]
    while let next = stack.popLast() {
      for index in graph.outgoing[next] {
        let owned = graph.edges[index].owned
        if !shown.contains(owned), omitted.insert(owned).inserted { stack.append(owned) }
      }
    }
    return omitted.count - before
  }

  private func isLeaf(_ node: Int) -> Bool {
    graph.outgoing[node].isEmpty && graph.nodes[node].notes.isEmpty && !shown.contains(node)
  }

  private mutating func add(_ text: String, _ depth: Int) {
    lines.append(String(repeating: "  ", count: depth) + text)
  }
}
