import Foundation

/// A table whose columns have fixed widths, so that a line can be printed before the next is known.
enum ConsoleTable {
  private static let columns: [(column: Measurement.Column, width: Int)] = [
    (.workload, 52), (.fanout, 13), (.floor, 7), (.unretained, 10), (.floorRatio, 13),
    (.peerTitle, 15), (.peer, 7), (.peerRatio, 13), (.allocations, 16), (.retains, 7),
    (.bytes, 14), (.bytesRatio, 7), (.verdict, 3),
  ]

  static func printHeadings() { print { $0.heading } }

  static func print(_ line: Measurement) { print { line.text(in: $0) } }

  private static func print(_ cell: (Measurement.Column) -> String) {
    let texts = columns.map { column, width in
      let text = cell(column)
      let space = String(repeating: " ", count: max(0, width - text.count))
      return column == .workload ? text + space : space + text
    }
    Swift.print(texts.joined(separator: "  "))
    fflush(nil)
  }
}
