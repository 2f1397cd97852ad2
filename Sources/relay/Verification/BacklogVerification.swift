/// The table of the decoding results of a slow viewer, under each backlog.
struct BacklogVerification {
  private let rows: [(screening: BacklogScreening, decoding: Decoding?)]

  /// Decodes the files of the slow viewers of all screenings in a folder.
  init(_ screenings: [BacklogScreening], folder: OutputFolder, ffmpeg: FFmpeg) {
    rows = screenings.map { screening in
      let name = BacklogScreening.fileName(screening.mode)
      let isEmpty = screening.slow.frames.isEmpty
      return (screening, isEmpty ? nil : ffmpeg.decode("\(folder.path)/\(name)"))
    }
  }

  /// Whether the bytes of a viewer do not decode, though its backlog promises that they do.
  var hasFault: Bool {
    rows.contains { screening, decoding in
      screening.mode.promisesDecoding && decoding?.isClean == false
    }
  }

  var text: String {
    var table = Table([
      ("backlog", .left), ("decoded", .right), ("errors", .right), ("why", .left),
    ])
    for (screening, decoding) in rows {
      table.rows.append([
        screening.mode.shortName,
        "\(decoding?.frameCount ?? 0) of \(screening.slow.frames.count)",
        String(decoding?.errors.count ?? 0),
        reason(screening, decoding),
      ])
    }
    return "The slow viewer:\n\n\(table.text)"
  }

  private func reason(_ screening: BacklogScreening, _ decoding: Decoding?) -> String {
    guard let decoding else { return "nothing came" }
    let starts = screening.slow.starts
    let others = starts.dropFirst().count { !$0 }
    if others > 0 { return "went on between keyframes \(others == 1 ? "once" : "\(others) times")" }
    guard decoding.isClean else { return decoding.complaint }
    return starts.count > 1 ? "starts and goes on at keyframes" : "starts on a keyframe, no gap"
  }
}
