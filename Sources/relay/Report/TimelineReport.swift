/// The timeline of all modes: a row of marbles for each viewer.
struct TimelineReport {
  let inspection: Inspection
  let screenings: [Screening]

  var text: String {
    let scale = TimelineScale(
      frameCount: inspection.frameCount, joinPoints: inspection.joinPoints)
    var lines = [MarbleRow.legend]
    if scale.framesPerColumn > 1 {
      lines.append("One character stands for up to \(scale.framesPerColumn) frames.")
    }
    lines += ["", "What a late viewer gets:", "  frame     " + scale.ruler]
    for screening in screenings {
      lines.append("\(screening.mode.call): \(screening.mode.meaning)")
      for (index, viewer) in screening.viewers.enumerated() {
        let row = MarbleRow(
          scale: scale, keyframes: inspection.keyframes, joinedAt: viewer.joinedAt,
          received: viewer.received, hasOwnRun: screening.mode == .unshared)
        lines.append("  viewer \(index + 1)  \(row.text)")
      }
    }
    return lines.joined(separator: "\n")
  }
}
