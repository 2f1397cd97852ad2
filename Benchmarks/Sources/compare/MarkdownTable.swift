/// A table for the documentation, whose page is narrow: columns that say nothing are left out.
struct MarkdownTable {
  let headings: [String]
  let lines: [[String]]

  var text: String {
    let columns = headings.indices.filter { column in
      lines.contains { !["", "—"].contains($0[column]) }
    }
    let rule = headings.indices.map { $0 == 0 ? "---" : "---:" }
    return ([headings, rule] + lines).map { line in
      "| " + columns.map { Self.unbroken(line[$0], isTitle: $0 == 0) }.joined(separator: " | ")
        + " |"
    }.joined(separator: "\n")
  }

  /// Keeps a number and its unit, or a sign and its limit, on one line.
  private static func unbroken(_ text: String, isTitle: Bool) -> String {
    guard !isTitle else { return text }
    let space = "\u{a0}"
    return text.split(separator: " (", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: space) }.joined(separator: " (")
  }
}
