/// The `ffmpeg` of the search path, as a judge of what a viewer received.
struct FFmpeg {
  /// Its name and version, as it gives them itself.
  let version: String

  /// `nil` if there is none that runs.
  init?(program: String = "ffmpeg") {
    guard let process = ChildProcess([program, "-version"]), process.status == 0 else { return nil }
    self.program = program
    version = process.output.split(separator: " ").prefix(3).joined(separator: " ")
  }

  private let program: String

  /// Decodes all of a file.
  func decode(_ path: String) -> Decoding {
    let process = ChildProcess([
      program, "-nostdin", "-hide_banner",
      // `repeat`, or equal errors in a row would count as one; one thread, or they would vary.
      "-loglevel", "repeat+error", "-threads", "1", "-f", "h264", "-i", "file:" + path,
      // `passthrough`, or frames would be doubled and dropped to keep up the frame rate.
      "-map", "0:v", "-fps_mode", "passthrough", "-f", "framecrc", "-",
    ])
    guard let process else { return Decoding(frameCount: 0, errors: ["ffmpeg did not start"]) }
    var errors = process.errors.split(separator: "\n").map(String.init)
    if errors.isEmpty, process.status != 0 { errors = ["exit code \(process.status)"] }
    let frames = process.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Decoding(frameCount: frames.count, errors: errors)
  }
}
