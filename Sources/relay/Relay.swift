#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A live video relay in miniature: one H.264 source, late viewers, five ways to let them in.
@main
struct Relay {
  static func main() {
    do {
      try Relay().run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let line = Array("relay: \(error.message)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(error.exitCode)
    }
  }

  /// The closure that prints a line of the report.
  var output: (String) -> Void = { print($0) }
  var ffmpeg: () -> FFmpeg? = { FFmpeg() }

  /// Runs the relay with the arguments of the command line.
  func run(_ arguments: [String]) throws(RelayError) {
    let options = try Options(arguments: arguments)
    if options.showsHelp { return output(Help.text) }

    let path = options.path ?? SampleFile.path
    // Nothing is written before the file has been read once and found sound.
    let inspection = try Inspection(of: path)
    let judge = options.verifies ? ffmpeg() : nil
    let folder = try folder(for: options, isWanted: judge != nil)
    var screenings: [Screening] = []
    for mode in SharingMode.allCases {
      let screening = try Screening(
        mode, of: path, joinPoints: inspection.joinPoints, folder: folder)
      try screening.play()
      screenings.append(screening)
    }
    let slow = options.showsSlowViewer ? try slowScreenings(of: path, folder: folder) : []
    try folder?.commit()

    output(introduction(options.path ?? "The sample, \(SampleFile.name)", inspection))
    output(TimelineReport(inspection: inspection, screenings: screenings).text + "\n")
    output(SummaryReport(inspection: inspection, screenings: screenings).text)
    if !slow.isEmpty {
      output("\n" + BacklogReport(inspection: inspection, screenings: slow).text)
    }
    if let name = options.output { output("\nWhat each viewer received lies in \(name).") }
    if let judge, let folder {
      let report = VerificationReport(
        screenings, keyframes: inspection.keyframes, folder: folder, ffmpeg: judge)
      output("\n" + report.text)
      let slowReport = BacklogVerification(slow, folder: folder, ffmpeg: judge)
      if !slow.isEmpty { output("\n" + slowReport.text) }
      if report.hasFault || report.fileDecodes && slowReport.hasFault { throw .undecodable }
    } else if options.verifies {
      output("\nNothing is verified: there is no ffmpeg on the search path.")
    }
  }

  /// Plays the file once for each backlog.
  private func slowScreenings(
    of path: String, folder: OutputFolder?
  ) throws(RelayError) -> [BacklogScreening] {
    var screenings: [BacklogScreening] = []
    for mode in BacklogMode.allCases {
      let screening = try BacklogScreening(mode, of: path, folder: folder)
      try screening.play()
      screenings.append(screening)
    }
    return screenings
  }

  private func folder(for options: Options, isWanted: Bool) throws(RelayError) -> OutputFolder? {
    if let name = options.output { return try OutputFolder(path: name) }
    return isWanted ? try OutputFolder() : nil
  }

  private func introduction(_ name: String, _ inspection: Inspection) -> String {
    let frames = counted(inspection.frameCount, "frame")
    let keyframes = counted(inspection.keyframes.count, "keyframe")
    let joins = inspection.joinPoints.map(String.init).joined(separator: ", ")
    let lines = [
      "\(name): \(frames), \(keyframes).", "Three viewers tune in, at frames \(joins).",
    ]
    return (lines + inspection.remarks.map { "Note: \($0)." } + [""]).joined(separator: "\n")
  }
}
