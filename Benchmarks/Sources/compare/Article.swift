import Foundation

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

    The cost of everything, beside a loop written by hand and beside OpenCombine.

    ## How to read it

    ![\(Chart.description)][performance.svg]

    The floor is the code that a user would write by hand: for sinks a loop over an array of closures. The floor of
    the others, and its figures, are at the end of the page. **× floor** says how many times as long Fanout
    takes, less is better; **× OpenCombine** how many times as long OpenCombine takes, more is better, but
    for memory the share of OpenCombine's bytes that Fanout takes. In brackets: the limit that Fanout has set
    itself, and in the last column whether all of the line are met. Allocations and retains are per delivery, on the
    thread that sends; retains are those of the committed thresholds.

    \(machine)

    Everything runs in one process, release build, the subscribers in another module than the library.
    The contenders take turns; of each, the best of five runs counts. Do not compare times with those
    of another machine: compare ratios. [Performance][Performance] says what follows for a pipeline of yours.

    This page is written by `swift run -c release compare --write` in `Benchmarks`; see the README there.

    \(sections.filter { !$0.measurements.isEmpty }.map(Self.table).joined(separator: "\n\n"))

    \(floors)

    """
  }

  private var machine: String {
    """
    | measured | |
    | --- | --- |
    | on | \(Machine.processor), \(Machine.cores) cores, \(Machine.system) |
    | with | \(Machine.toolchain), OpenCombine 0.14 |
    | date | \(Date.now.formatted(.iso8601.year().month().day())) |
    """
  }

  private static func table(_ section: Section) -> String {
    let shown = ["workload", "Fanout", "× floor", "× OpenCombine", "allocations", "retains", "met"]
    let places = shown.compactMap(Measurement.headings.firstIndex)
    let lines = section.measurements.map { line in places.map { line.cells[$0] } }
    return "## \(section.title)\n\n" + MarkdownTable(headings: shown, lines: lines).text
  }

  /// What Fanout was compared with, in figures.
  private var floors: String {
    let shown = ["workload", "floor", "no retains", "OpenCombine"]
    let places = shown.compactMap(Measurement.headings.firstIndex)
    let lines = sections.flatMap(\.measurements).filter { $0.floor != nil || $0.openCombine != nil }
      .map { line in
        places.map { line.cells[$0] } + [line.floor == nil ? "—" : line.floorTitle ?? "—"]
      }
    return "## The others in figures\n\n"
      + MarkdownTable(headings: shown + ["the floor is"], lines: lines).text
  }
}
