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
