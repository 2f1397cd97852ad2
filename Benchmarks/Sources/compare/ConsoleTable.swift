import Foundation
import Workloads

/// The table of a section, which fits 160 columns: its columns have fixed widths, so that a line can be printed before
/// the next is known.
struct ConsoleTable {
  /// The title of the section, which stands over the first column.
  let title: String

  private var columns: [(column: Measurement.Column, width: Int)] {
    let own: [(Measurement.Column, Int)] = [(.workload, 50), (.fanout, 9)]
    let peer: [(Measurement.Column, Int)] = [(.peerTitle, 11), (.peer, 8), (.peerRatio, 12)]
    guard title == Workload.operatorsTitle else {
      return own + [(.floor, 7), (.unretained, 10), (.floorRatio, 12)] + peer
        + [(.allocations, 11), (.retains, 7), (.verdict, 3)]
    }
    return own + peer + [(.allocations, 11), (.bytes, 14), (.bytesRatio, 7), (.verdict, 3)]
  }

  func printHeadings() { print { $0 == .workload ? title : $0.heading } }

  /// Prints a line, and below it one for each other processor.
  func print(_ line: Measurement, _ elsewhere: [Elsewhere]) {
    print { $0 == .peerTitle && line.peer != nil ? line.library.word : line.text(in: $0) }
    for other in elsewhere { print { other.text(in: $0) } }
  }

  private func print(_ cell: (Measurement.Column) -> String) {
    let texts = columns.map { column, width in
      let text = cell(column)
      let space = String(repeating: " ", count: max(0, width - text.count))
      return column == .workload ? text + space : space + text
    }
    Swift.print(texts.joined(separator: "  "))
    fflush(nil)
  }
}

extension ConsoleTable {
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
}
