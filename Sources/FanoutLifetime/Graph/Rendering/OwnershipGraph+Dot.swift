extension OwnershipGraph {
  /// The graph in DOT, the language of Graphviz.
  ///
  /// Roots are rounded; references that close a cycle are bold and name the events that break it.
  public var dot: String {
    var lines = [
      "digraph Ownership {", "  node [shape=box, fontname=\"sans-serif\"];",
      "  edge [fontname=\"sans-serif\", fontsize=10];",
    ]
    for node in nodes {
      let label = ([node.title] + node.values.map(\.text)).map(Self.escapedForDot)
      let style = roots.contains(node.id) ? ", style=rounded" : ""
      lines.append("  n\(node.id) [label=\"\(label.joined(separator: "\\n"))\"\(style)];")
    }
    let remedies = remedies
    for (index, edge) in edges.enumerated() {
      let label = edge.label(remedies[index]).map(Self.escapedForDot).joined(separator: "\\n")
      let style = remedies[index] == nil ? "" : ", style=bold, constraint=false"
      lines.append("  n\(edge.owner) -> n\(edge.owned) [label=\"\(label)\"\(style)];")
    }
    return (lines + ["}"]).joined(separator: "\n")
  }

  private static func escapedForDot(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\"", "\\": escaped += "\\\(character)"
      case "\n", "\r", "\t", "\r\n": escaped += " "
      default: escaped.append(character)
      }
    }
  }
}
