/// The table of what each viewer received.
struct SummaryReport {
  let inspection: Inspection
  let screenings: [Screening]

  var text: String {
    var table = Table([
      ("mode", .left), ("viewer", .right), ("joined at", .right), ("first frame", .right),
      ("received", .right), ("replayed", .right), ("starts on keyframe", .left),
      ("file read", .left),
    ])
    for screening in screenings {
      for (index, viewer) in screening.viewers.enumerated() {
        table.rows.append([
          index == 0 ? screening.mode.shortName : "",
          String(index + 1),
          String(viewer.joinedAt),
          viewer.received.first.map(String.init) ?? "none",
          String(viewer.received.count),
          replayed(to: viewer, in: screening.mode),
          start(of: viewer),
          index == 0 ? times(screening.readCount) : "",
        ])
      }
    }
    return table.text
  }

  private func replayed(to viewer: Viewer, in mode: SharingMode) -> String {
    mode == .unshared ? "own run" : String(viewer.received.prefix { $0 < viewer.joinedAt }.count)
  }

  private func start(of viewer: Viewer) -> String {
    guard let first = viewer.received.first else { return "nothing came" }
    return inspection.keyframes.contains(first) ? "yes" : "no"
  }

  private func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
