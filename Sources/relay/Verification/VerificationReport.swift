/// The table of the decoding results of all viewers.
struct VerificationReport {
  let ffmpeg: FFmpeg
  private let rows: [(screening: Screening, verdicts: [Verdict])]

  /// Decodes the files of the viewers of all screenings in a folder.
  init(_ screenings: [Screening], keyframes: [Int], folder: OutputFolder, ffmpeg: FFmpeg) {
    self.ffmpeg = ffmpeg
    rows = screenings.map { screening in
      let verdicts = screening.viewers.enumerated().map { index, viewer in
        let name = Screening.fileName(screening.mode, viewer: index + 1)
        let isEmpty = viewer.received.isEmpty
        return Verdict(
          received: viewer.received, keyframes: keyframes,
          decoding: isEmpty ? nil : ffmpeg.decode("\(folder.path)/\(name)"))
      }
      return (screening, verdicts)
    }
  }

  /// Whether a viewer's bytes do not decode although the file itself does.
  var hasFault: Bool {
    !isFileFaulty && rows.contains { $0.verdicts.contains(where: \.isFault) }
  }

  /// Whether the file itself decodes without an error.
  var fileDecodes: Bool { rows.first?.verdicts.first?.isClean ?? true }

  /// Whether the file itself has errors; the first viewer of an unshared run receives all of it.
  private var isFileFaulty: Bool { rows.first?.verdicts.first?.isFault ?? false }

  var text: String {
    var table = Table([
      ("mode", .left), ("viewer", .right), ("decoded", .right), ("errors", .right), ("why", .left),
    ])
    for (screening, verdicts) in rows {
      for (index, verdict) in verdicts.enumerated() {
        table.rows.append([
          index == 0 ? screening.mode.shortName : "",
          String(index + 1),
          "\(verdict.decoding?.frameCount ?? 0) of \(verdict.received.count)",
          String(verdict.decoding?.errors.count ?? 0),
          verdict.reason,
        ])
      }
    }
    let note =
      "\n\nNote: the file itself decodes with errors; its last access unit may be cut short."
    return "Decoded by \(ffmpeg.version):\n\n\(table.text)\(isFileFaulty ? note : "")"
  }
}
