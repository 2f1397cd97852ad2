extension OwnershipGraph {
  /// What keeps an object alive, as far as this graph goes.
  ///
  /// - Parameter object: The object, which must have been kept alive since the graph was made: it is
  ///   known by its address.
  /// - Returns: A text for each reference to it, the most telling one first: the reference, then who
  ///   holds its owner, and so on; up to something that has a name of the user's, or to the object
  ///   itself where the chain is a cycle, or to what nothing in the graph holds. At the end the
  ///   events that end the first reference.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// final class Screen: Sendable {
  ///   func show(_ text: String) {}
  /// }
  ///
  /// let titles = PassthroughSubject<String, Never>()
  /// let screen = Screen()
  /// let showing = titles.labeled("titles").sink(receiveValue: screen.show)
  /// for text in OwnershipGraph(of: titles).holders(of: screen) { print(text) }
  /// showing.cancel()
  /// // Prints:
  /// // Sink.receiveValue ← Subscription ← PassthroughSubject 'titles' (until cancel or completion)
  /// ```
  public func holders(of object: AnyObject) -> [String] {
    guard let held = nodes.first(where: { $0.object == ObjectIdentifier(object) }) else {
      return []
    }
    let incoming = incoming
    var chains: [HolderChain] = []
    for index in incoming[held.id] where edges[index].owner != held.id {
      chains.append(chain(above: index, to: held.id, incoming))
    }
    let own = edges.indices.filter { edges[$0].owner == held.id && edges[$0].owned == held.id }
    chains += own.map { HolderChain(edge: $0, nodes: [], end: .itself) }
    var texts: [String] = []
    for chain in chains.sorted() {
      let text = text(chain)
      if !texts.contains(text) { texts.append(text) }
    }
    return texts
  }

  /// What keeps an object alive, among objects that are alive.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - roots: Where to look: whatever may hold it.
  ///   - names: Names for objects.
  /// - Returns: As ``holders(of:)``.
  package static func holders(
    of object: AnyObject, among roots: [AnyObject], names: [ObjectIdentifier: String] = [:]
  ) -> [String] {
    OwnershipGraph(roots: roots, names: names).holders(of: object)
  }

  /// How many links of a chain are shown.
  private static var longestChain: Int { 10 }

  /// Per node the references to it.
  private var incoming: [[Int]] {
    var incoming = [[Int]](repeating: [], count: nodes.count)
    for (index, edge) in edges.enumerated() { incoming[edge.owned].append(index) }
    return incoming
  }

  /// The best way up from a reference.
  private func chain(above edge: Int, to held: Int, _ incoming: [[Int]]) -> HolderChain {
    let start = edges[edge].owner
    var below: [Int: Int] = [start: start]
    var queue = [start]
    var best = HolderChain(edge: edge, nodes: [start], end: .somebody)
    var next = 0
    while next < queue.count {
      let node = queue[next]
      next += 1
      let owners = incoming[node].map { edges[$0].owner }.filter { $0 != node }
      let end = HolderChain.End(
        nodes[node], isHeld: !owners.isEmpty, byItself: owners.contains(held))
      if end < best.end || node == start {
        var nodes = [node]
        while let last = nodes.last, last != start, let lower = below[last] { nodes.append(lower) }
        best = HolderChain(edge: edge, nodes: nodes.reversed(), end: end)
      }
      for owner in owners where below[owner] == nil && owner != held {
        below[owner] = node
        queue.append(owner)
      }
    }
    return best
  }

  private func text(_ chain: HolderChain) -> String {
    let edge = edges[chain.edge]
    var names = chain.nodes.map { nodes[$0].nameAndLabel }
    // Within a value the path says more than the role of the whole.
    let isRole = !edge.role.contains(" ") && !edge.reference.contains(".")
    let reference = isRole ? edge.role : edge.reference
    if let first = names.first { names[0] = "\(first).\(reference)" }
    if names.isEmpty { names = ["\(nodes[edge.owned].nameAndLabel).\(reference)"] }
    if names.count > Self.longestChain {
      let middle = names.count - Self.longestChain
      names.replaceSubrange(5..<(5 + middle), with: ["… \(middle) more …"])
    }
    if chain.end == .itself { names.append("itself") }
    let until = edge.until.isEmpty ? "" : " (until \(Wording.alternatives(edge.until)))"
    return names.joined(separator: " ← ") + until
  }
}

extension OwnershipGraph.Node {
  /// The name with the label, without the number, which means nothing outside the tree.
  fileprivate var nameAndLabel: String { label.map { "\(name) '\($0)'" } ?? name }
}

/// A way from a reference up to something that a reader can do something about.
private struct HolderChain: Comparable {
  /// What stands at the end, the most telling first.
  enum End: Comparable {
    case labeled, itself, unheld, subject, somebody

    init(_ node: OwnershipGraph.Node, isHeld: Bool, byItself: Bool) {
      if node.label != nil {
        self = .labeled
      } else if byItself {
        self = .itself
      } else if !isHeld {
        self = .unheld
      } else {
        self = node.name.hasSuffix("Subject") ? .subject : .somebody
      }
    }
  }

  let edge: Int
  let nodes: [Int]
  let end: End

  static func < (left: HolderChain, right: HolderChain) -> Bool {
    (left.end, left.nodes.count, left.edge) < (right.end, right.nodes.count, right.edge)
  }
}
