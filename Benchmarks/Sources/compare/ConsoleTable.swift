import Foundation
import Workloads

/// A table whose columns have fixed widths, so that a line can be printed before the next is known.
enum ConsoleTable {
  private static let columns: [(column: Measurement.Column, width: Int)] = [
    (.workload, 52), (.fanout, 13), (.floor, 7), (.unretained, 10), (.floorRatio, 13),
    (.peerTitle, 15), (.peer, 7), (.peerRatio, 13), (.allocations, 16), (.retains, 7),
    (.bytes, 14), (.bytesRatio, 7), (.verdict, 3),
  ]

  static func printHeadings() { print { $0.heading } }

  /// Prints a line, and below it one for each other processor.
  static func print(_ line: Measurement, _ elsewhere: [Elsewhere]) {
    print { line.text(in: $0) }
    for other in elsewhere { print { other.text(in: $0) } }
  }

  /// Prints the processor, what it is good at, and what the letters of the others stand for.
  static func print(_ processor: Processor, _ costs: Costs, _ others: [RecordedRuns.Other]) {
    Swift.print("processor  \(processor.name)")
    if !processor.caches.isEmpty {
      Swift.print("caches     \(processor.caches.map(\.text).joined(separator: ", "))")
    }
    for (title, cost) in Costs.titles {
      guard let cost = cost(costs) else { continue }
      let space = String(repeating: " ", count: max(0, 50 - title.count))
      Swift.print("\(title)\(space)\(Measurement.short(cost)) ns")
    }
    let boundary = Measurement.plain(Locks.boundary)
    Swift.print(
      """
      The limits are those for \(costs.locks.rawValue) locked instructions; slow ones take \(boundary) ns or more.
      """)
    for other in others {
      Swift.print("on \(other.letter): \(other.run.title)\n      \(other.run.state)")
    }
    Swift.print("")
  }

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
