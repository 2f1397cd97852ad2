extension OwnershipGraph: CustomStringConvertible {
  /// The graph as an indented tree: a line per reference, with its role and what ends it.
  ///
  /// An object shown before is only named. If the tree returns to its own branch, the line marks a
  /// cycle, with the events that break it. Objects deeper than 100 levels, or beyond 2,000 lines,
  /// are only counted.
  public var description: String {
    var tree = TreeDrawing(graph: self)
    tree.draw()
    return tree.lines.joined(separator: "\n")
  }
}

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
      let label = ([node.title] + node.notes).map(Self.escapedForDot)
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

extension OwnershipGraph {
  /// The graph as a flowchart for Mermaid.
  ///
  /// Roots are rounded; references that close a cycle are thick and name the events that break it.
  public var mermaid: String {
    var lines = ["flowchart TD"]
    for node in nodes {
      let label = ([node.title] + node.notes).map(Self.escapedForMermaid)
      let text = "\"\(label.joined(separator: "<br/>"))\""
      lines.append("  n\(node.id)\(roots.contains(node.id) ? "([\(text)])" : "[\(text)]")")
    }
    let remedies = remedies
    for (index, edge) in edges.enumerated() {
      let label = edge.label(remedies[index]).map(Self.escapedForMermaid)
      let arrow = remedies[index] == nil ? "-->" : "==>"
      let text = label.joined(separator: "<br/>")
      lines.append("  n\(edge.owner) \(arrow)|\"\(text)\"| n\(edge.owned)")
    }
    return lines.joined(separator: "\n")
  }

  private static func escapedForMermaid(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "\"", "#", "<", ">", "&", "`", "\\", "|", "[", "]", "{", "}", ";":
        escaped += "#\(scalar.value);"
      case "\n", "\r", "\t": escaped += " "
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}

extension OwnershipGraph.Edge {
  /// Returns the lines of an arrow's label.
  func label(_ remedy: String?) -> [String] {
    if let remedy { return [role, remedy] }
    return until.isEmpty ? [role] : [role, "until \(Wording.alternatives(until))"]
  }
}
