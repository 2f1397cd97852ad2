import Foundation
import Workloads

/// Lines of the table that are about the same thing.
struct Section {
  let title: String
  let measurements: [Measurement]
}

/// The page of the documentation with the table and the chart.
struct Article {
  let sections: [Section]

  private static let catalog = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Fanout/Fanout.docc")

  func write() throws {
    try text.write(
      to: Self.catalog.appending(path: "Measurements.md"), atomically: true, encoding: .utf8)
    let lines = sections.flatMap(\.measurements)
    for (ending, colours) in [("", Chart.Colours.light), ("~dark", Chart.Colours.dark)] {
      try Chart(lines: lines, colours: colours).svg.write(
        to: Self.catalog.appending(path: "Resources/performance\(ending).svg"), atomically: true,
        encoding: .utf8)
    }
  }

  private var text: String {
    """
    # Measurements

    <!-- Written by Docs/tools/link-guides: where the links of this page lead.
    @Comment {
    -->
    [performance.svg]: Resources/performance.svg
    [Performance]: Performance.md
    <!--
    }
    <!-- -->

    [performance.svg]: performance
    [Performance]: doc:Performance

    The cost of everything, beside what a user would write by hand and beside other libraries.

    ## How to read it

    ![\(Chart.description)][performance.svg]

    The floor is the code that a user would write by hand: for sinks a loop over an array of closures. The floor of
    the others, and its figures, are at the end of the page. **× floor** says how many times as long Fanout
    takes, less is better; **× OpenCombine** and **× AsyncAlgorithms** how many times as long that library takes, more is
    better, but for memory the share of its bytes that Fanout takes. In brackets: the limit that Fanout has set
    itself, and in the last column whether all of the line are met. Allocations and retains are per delivery, on the
    thread that sends; retains are those of the committed thresholds.

    \(machine)

    Everything runs in one process, release build, the subscribers in another module than the library.
    The contenders take turns; of each, the best of five runs counts. Do not compare times with those
    of another machine: compare ratios. [Performance][Performance] says what follows for a pipeline of yours.

    This page is written by `swift run -c release compare --write` in `Benchmarks`; see the README there.

    \(sections.filter { !$0.measurements.isEmpty }.map(Self.table).joined(separator: "\n\n"))

    \(others)

    """
  }

  private var machine: String {
    """
    | measured | |
    | --- | --- |
    | on | \(Machine.processor), \(Machine.cores) cores, \(Machine.system) |
    | with | \(([Machine.toolchain] + Library.allCases.map(\.package)).joined(separator: ", ")) |
    | date | \(Date.now.formatted(.iso8601.year().month().day())) |
    """
  }

  private static func table(_ section: Section) -> String {
    "## \(section.title)\n\n"
      + table(
        section.measurements,
        [.workload, .fanout, .floorRatio] + Library.allCases.map { .ratio($0) }
          + [.allocations, .retains, .bytes, .bytesRatio, .verdict])
  }

  private static func table(_ lines: [Measurement], _ columns: [Measurement.Column]) -> String {
    MarkdownTable(
      headings: columns.map(\.heading),
      lines: lines.map { line in columns.map { line.text(in: $0) } }
    ).text
  }

  /// What Fanout was compared with, in figures.
  private var others: String {
    let lines = sections.flatMap(\.measurements).filter { $0.floor != nil || $0.peer != nil }
    return "## The others in figures\n\n"
      + Self.table(
        lines,
        [.workload, .floor, .unretained] + Library.allCases.map { .figure($0) } + [.floorTitle])
  }
}
