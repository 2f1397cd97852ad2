import Workloads

/// A line of the table as it was on another processor.
struct Elsewhere {
  let letter: String
  let line: Measurement
  let ratios: RecordedRun.Ratios
  private let locks: Locks

  /// Nothing if the line was not measured there.
  init?(_ line: Measurement, on other: RecordedRuns.Other) {
    guard let ratios = other.run.workloads[line.name] else { return nil }
    letter = other.letter
    self.line = line
    self.ratios = ratios
    locks = other.run.costs.locks
  }

  var floorRatio: String { text(ratios.floor, "≤", line.floorLimit) }

  var peerRatio: String { text(ratios.peer, "≥", line.peerLimit) }

  /// The locked instructions of a delivery then, if there are others now: the ratios are of another state.
  var otherLocked: Double? {
    guard let then = ratios.locked, let now = CommittedCounts.locked[line.name] else { return nil }
    return abs(then - now) > 0.25 ? then : nil
  }

  /// For each limit of its ratios whether it was met.
  var verdicts: [Bool] {
    var verdicts: [Bool] = []
    if let ratio = ratios.floor, let limit = line.floorLimit?.value(with: locks) {
      verdicts.append(ratio <= limit)
    }
    if let ratio = ratios.peer, let limit = line.peerLimit?.value(with: locks) {
      verdicts.append(ratio >= limit)
    }
    return verdicts
  }

  /// The text for the second line of a workload; nothing where the first one says all.
  func text(in column: Measurement.Column) -> String {
    switch column {
    case .workload:
      "  on \(letter)"
        + (otherLocked.map { ", with \(Measurement.plain($0)) locked instructions" } ?? "")
    case .floorRatio: floorRatio
    case .peerRatio: peerRatio
    case .verdict: Measurement.sign(verdicts)
    default: ""
    }
  }

  private func text(_ ratio: Double?, _ sign: String, _ limit: Limit?) -> String {
    guard let ratio else { return "—" }
    return Measurement.short(ratio) + Measurement.limit(sign, limit?.value(with: locks))
  }
}

extension RecordedRuns {
  /// The line as it was on the other processors that have it.
  func elsewhere(_ line: Measurement) -> [Elsewhere] {
    others.compactMap { Elsewhere(line, on: $0) }
  }
}
