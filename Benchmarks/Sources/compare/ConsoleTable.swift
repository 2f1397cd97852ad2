/// A table whose columns have fixed widths, so that a line can be printed before the next is known.
enum ConsoleTable {
  private static let widths = [48, 16, 9, 14, 11, 14, 11, 3]

  static func line(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { column, cell in
      let (text, width) = cell
      let space = String(repeating: " ", count: max(0, width - text.count))
      return column == 0 ? text + space : space + text
    }.joined(separator: "  ")
  }
}
