import Foundation
import Workloads

/// Lines of the table that are about the same thing.
struct Section {
  let title: String
  /// Whether all lines of the section were measured.
  let isWhole: Bool
  let measurements: [Measurement]

  /// Whether the section is about operators alone, and shows the figures of both sides.
  private var isOfOperators: Bool { title == Workload.operatorsTitle }

  /// The lines of the section whose peers are in the table of the others.
  var withOthers: [Measurement] {
    isOfOperators ? [] : measurements.filter { $0.floor != nil || $0.peer != nil }
  }

  /// The section of the page.
  var text: String {
    let libraries = Library.allCases
    let figures = isOfOperators ? libraries.map(Measurement.Column.figure) : []
    let columns: [Measurement.Column] =
      [.workload, .fanout, .floorRatio] + figures + libraries.map { .ratio($0) }
      + [.allocations, .retains, .bytes, .bytesRatio, .verdict]
    let note = isOfOperators ? Self.noteOnOperators + "\n\n" : ""
    return "## \(title)\n\n\(note)\(Article.table(measurements, columns))"
  }

  private static let noteOnOperators = """
    The operator stands between a subject and a sink, in a program that is compiled over each of the libraries. **A
    subscription** is the memory that one takes, with its sink and its cancellable; **× bytes** is the share of
    OpenCombine's that Fanout takes. `first` and `output(at: 0)` are subscribed to anew for each value. OpenCombine
    has no `combineLatest` and no `merge`.
    """
}

/// The page of the documentation with the tables.
struct Article {
  let sections: [Section]
  let costs: Costs
  let runs: RecordedRuns

  private static let catalog = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Docs/Contributors.docc")

  private static let page = catalog.appending(path: "Measurements.md")

  /// The text of the chart.
  private static let chart = """
    Times as long as Fanout, on a logarithmic axis and for each processor that was measured: dots of a loop by hand \
    and of OpenCombine, for sinks of a subject, for sinks behind map and share, and for operators that keep values.
    """

  /// Writes the sections of which all was measured, and leaves the rest of the page as it is.
  func writeSections() throws {
    var parts = try String(contentsOf: Self.page, encoding: .utf8).components(separatedBy: "\n## ")
    for (index, section) in sections.enumerated() where section.isWhole {
      let part = section.text.dropFirst("## ".count) + "\n"
      let titles = sections[...index].map { $0.title + "\n" }
      let isThere = { (title: String) in parts.firstIndex { $0.hasPrefix(title) } }
      if let known = isThere(section.title + "\n") {
        parts[known] = String(part)
      } else if let place = titles.reversed().lazy.compactMap(isThere).first {
        parts.insert(String(part), at: place + 1)
      }
    }
    try parts.joined(separator: "\n## ").write(to: Self.page, atomically: true, encoding: .utf8)
  }

  /// Writes the whole page.
  ///
  /// Its chart is drawn from the recorded runs, by Docs/tools/draw-performance.
  func write() throws {
    try text.write(to: Self.page, atomically: true, encoding: .utf8)
  }

  private var text: String {
    """
    # Measurements

    The cost of everything, beside what a user would write by hand and beside other libraries.

    ## How to read it

    ![\(Self.chart)](performance.svg)

    The floor is the code that a user would write by hand: for sinks a loop over an array of closures. The floor of
    the others, and its figures, are at the end of the page.

    | column | says | better is |
    | --- | --- | --- |
    | **× floor** | how many times as long Fanout takes as the floor | less |
    | **× OpenCombine**, **× AsyncAlgorithms** | how many times as long that library takes as Fanout | more |
    | the same, for memory | the part of that library's bytes that Fanout takes | less |
    | in brackets | the limit that Fanout has set itself | |
    | the last | whether the row meets every limit in it | |

    Allocations and retains are those of one delivery, on the thread that sends. Retains are those of the committed
    thresholds.

    \(machine)

    Everything runs in one process, release build, the subscribers in another module than the library.
    The contenders take turns; of each, the best of several runs counts. Do not compare times with those
    of another machine: compare ratios, and see below which of them depend on the processor too.
    [Performance](doc:Performance) says what follows for a pipeline of yours.

    This page is written by `swift run -c release compare --write` in `Benchmarks`; see the README there.

    \(ProcessorSection(lines: sections.flatMap(\.measurements), costs: costs, runs: runs).text)

    \(sections.filter { !$0.measurements.isEmpty }.map(\.text).joined(separator: "\n\n"))

    \(others)

    """
  }

  private var machine: String {
    """
    | measured | |
    | --- | --- |
    | on | \(runs.processor.name), \(Machine.cores) cores, \(Machine.system) |
    | with | \(([Machine.toolchain] + Library.allCases.map(\.package)).joined(separator: ", ")) |
    | date | \(Date.now.formatted(.iso8601.year().month().day())) |
    """
  }

  fileprivate static func table(_ lines: [Measurement], _ columns: [Measurement.Column]) -> String {
    MarkdownTable(
      headings: columns.map(\.heading),
      lines: lines.map { line in columns.map { line.text(in: $0) } }
    ).text
  }

  /// What Fanout was compared with, in figures.
  private var others: String {
    let lines = sections.flatMap(\.withOthers)
    return "## The others in figures\n\n"
      + Self.table(
        lines,
        [.workload, .floor, .unretained] + Library.allCases.map { .figure($0) } + [.floorTitle])
  }
}
