import Workloads

/// The section of the page about what depends on the processor: a column for each that has a run.
struct ProcessorSection {
  let lines: [Measurement]
  let costs: Costs
  let runs: RecordedRuns

  var text: String {
    let parts = [Self.introduction, processors, Self.aboutRatios, ratios, states]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private static let introduction = """
    ## What depends on the processor

    Counts do not depend on it: the allocations, retains, instructions and locked instructions of a delivery. CI fails
    if one of them grows. Times depend on it, and so do ratios of times.

    - **Locked instructions**, which are atomic read-modify-writes. A retain and a release have one each. The time of
      one depends on the processor, and on whether it follows another or stands amid plain work.
    - **Plain code.** A processor may be faster at it and slower at locked instructions.
    - **Caches.** Their sizes decide from how many subscribers or recorded values on memory is slow.
    """

  private static let aboutRatios = """
    These ratios differ by more than a fifth, or miss a limit on another processor. Some limits are easier to meet
    where a locked instruction takes \(Measurement.plain(Locks.boundary)) ns or more. The locked instructions are
    those of a delivery now; a ratio of an earlier state says how many it took then.
    """

  private var processors: String {
    let all = [(costs, runs.processor.caches)] + runs.others.map { ($0.run.costs, $0.run.caches) }
    let names = [runs.processor.name] + runs.others.map(\.run.processor)
    var lines = Costs.titles.map { title, cost in
      [title] + all.map { cost($0.0).map { Measurement.short($0) + " ns" } ?? "—" }
    }
    for cache in runs.processor.caches {
      let sizes = all.map { $0.1.first { $0.name == cache.name }?.size ?? "—" }
      lines.append(["the cache \(cache.name)"] + sizes)
    }
    return MarkdownTable(headings: ["processor"] + names, lines: lines).text
  }

  private var ratios: String {
    let names = ["this page"] + runs.others.map(\.run.processor)
    let headings = ["workload", "locked instructions", "beside"] + names
    let rows = lines.flatMap { line in
      [row(line, isPeer: false), row(line, isPeer: true)].compactMap { $0 }
    }
    return rows.isEmpty ? "" : MarkdownTable(headings: headings, lines: rows).text
  }

  /// The ratios of a line beside its floor or its peer; nothing if they are about the same everywhere.
  private func row(_ line: Measurement, isPeer: Bool) -> [String]? {
    guard let here = isPeer ? line.peerRatio : line.floorRatio else { return nil }
    let cells = runs.others.map { other -> (text: String, differs: Bool) in
      guard
        let there = Elsewhere(line, on: other),
        let ratio = isPeer ? there.ratios.peer : there.ratios.floor
      else { return ("—", false) }
      let text = isPeer ? there.peerRatio : there.floorRatio
      let state = there.otherLocked.map { ", with \(Measurement.plain($0)) locked" } ?? ""
      let differs = max(here, ratio) > 1.2 * min(here, ratio)
      return (text + state, differs || there.verdicts.contains(false))
    }
    guard cells.contains(where: \.differs) else { return nil }
    let locked = CommittedCounts.locked[line.name].map(Measurement.plain) ?? "—"
    return [
      line.title, locked, isPeer ? line.library.title : "the floor",
      line.text(in: isPeer ? .peerRatio : .floorRatio),
    ] + cells.map(\.text)
  }

  /// The states that the other processors were measured in.
  private var states: String {
    runs.others.map { "\($0.run.processor): \($0.run.state)." }.joined(separator: "\n\n")
  }
}
