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
