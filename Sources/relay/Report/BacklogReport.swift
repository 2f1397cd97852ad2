/// The timeline and the table of a slow viewer, under each backlog.
struct BacklogReport {
  let inspection: Inspection
  let screenings: [BacklogScreening]

  var text: String {
    ([introduction] + timeline + ["", table.text, "", note]).joined(separator: "\n")
  }

  private var introduction: String {
    // The first backlog has no limit, so nothing is missed there.
    let complete = screenings.first?.slow
    let values = complete?.accountedCount ?? 0
    let frames = complete?.frames.count ?? 0
    let sets = counted(values - frames, "set")
    return """
      A viewer who reads too slowly tunes in at the first keyframe. It takes one value for every \
      \(BacklogScreening.pace)
      that a fast viewer receives. At most \(BacklogMode.size) values wait for it, except under \
      .unbounded.
      Parameter sets are values of their own: \(counted(frames, "frame")) and \(sets) are \
      \(values) values.

      K  keyframe received    -  received    :  some received    k  keyframe missed    .  missed

      """
  }

  private var note: String { "A start is the first frame, and the first one after each gap." }

  private var timeline: [String] {
    let scale = TimelineScale(frameCount: inspection.frameCount, joinPoints: [0])
    var lines = ["What it gets:", "  frame     " + scale.ruler]
    for screening in screenings {
      lines.append("\(screening.mode.call): \(screening.mode.meaning)")
      lines.append("  slow      \(row(of: screening.slow, on: scale))")
    }
    return lines
  }

  private func row(of viewer: PacketViewer, on scale: TimelineScale) -> String {
    let received = Set(viewer.frames)
    let keyframes = Set(inspection.keyframes)
    return String(
      scale.columns.map { column in
        guard case .frames(let frames) = column else { return " " }
        let shown = frames.filter(received.contains)
        if shown.isEmpty { return frames.contains(where: keyframes.contains) ? "k" : "." }
        if shown.contains(where: keyframes.contains) { return "K" }
        return shown.count == frames.count ? "-" : ":"
      })
  }

  private var table: Table {
    var table = Table([
      ("backlog", .left), ("received", .right), ("missed", .right), ("frames behind", .right),
      ("starts on keyframe", .left), ("end", .left),
    ])
    for screening in screenings {
      let slow = screening.slow
      table.rows.append([
        screening.mode.shortName,
        String(slow.receivedCount),
        String(slow.missedCount),
        "up to \(slow.greatestLag)",
        slow.starts.isEmpty
          ? "nothing came" : "\(slow.starts.count(where: \.self)) of \(slow.starts.count)",
        end(of: screening),
      ])
    }
    return table
  }

  private func end(of screening: BacklogScreening) -> String {
    guard screening.slowFailed else { return "finished" }
    return "failed, \(counted(screening.slow.lag(behind: screening.fast), "frame")) early"
  }
}
