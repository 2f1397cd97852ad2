/// The `ffmpeg` of the search path, which decodes the bytes of the viewers.
struct FFmpeg {
  /// The name and version that it prints itself.
  let version: String

  /// Finds the program; `nil` if there is none that runs.
  init?(program: String = "ffmpeg") {
    guard let process = ChildProcess([program, "-version"]), process.status == 0 else { return nil }
    self.program = program
    version = process.output.split(separator: " ").prefix(3).joined(separator: " ")
  }

  private let program: String

  /// Decodes a whole file.
  func decode(_ path: String) -> Decoding {
    let process = ChildProcess([
      program, "-nostdin", "-hide_banner",
      // Without `repeat` equal errors in a row would count as one; with several threads they would
      // vary.
      "-loglevel", "repeat+error", "-threads", "1", "-f", "h264", "-i", "file:" + path,
      // Without `passthrough` frames would be doubled and dropped to keep up the frame rate.
      "-map", "0:v", "-fps_mode", "passthrough", "-f", "framecrc", "-",
    ])
    guard let process else { return Decoding(frameCount: 0, errors: ["ffmpeg did not start"]) }
    var errors = process.errors.split(separator: "\n").map(String.init)
    if errors.isEmpty, process.status != 0 { errors = ["exit code \(process.status)"] }
    let frames = process.output.split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Decoding(frameCount: frames.count, errors: errors)
  }
}
