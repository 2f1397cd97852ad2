import Foundation

/// A table whose columns have fixed widths, so that a line can be printed before the next is known.
enum ConsoleTable {
  private static let widths = [48, 13, 7, 10, 13, 11, 13, 11, 7, 3]

  static func print(_ cells: [String]) {
    let texts = zip(cells, widths).enumerated().map { column, cell in
      let (text, width) = cell
      let space = String(repeating: " ", count: max(0, width - text.count))
      return column == 0 ? text + space : space + text
    }
    Swift.print(texts.joined(separator: "  "))
    fflush(nil)
  }
}
