extension OwnershipGraph {
  /// The graph as a flowchart for Mermaid.
  ///
  /// Roots are rounded; references that close a cycle are thick and name the events that break it.
  public var mermaid: String {
    var lines = ["flowchart TD"]
    for node in nodes {
      let label = ([node.title] + node.values.map(\.text)).map(Self.escapedForMermaid)
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
