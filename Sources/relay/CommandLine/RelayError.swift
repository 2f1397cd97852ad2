/// A reason for which the relay stops.
enum RelayError: Error, Equatable {
  case usage(String)
  case missing(String)
  case folder(String)
  case unreadable(String, reason: String)
  case empty(String)
  case noStartCode(String)
  case noPicture(String)
  case foreign(String, ForeignFormat)
  case unusableOutput(String, reason: String)
  case unwritten(String, reason: String)
  case unfinished(String)
  case undecodable
  case tooSlow

  /// One line: what is wrong and what to do.
  var message: String {
    switch self {
    case .usage(let problem): "\(problem); see relay --help"
    case .missing(let path):
      "there is no file \(path); check its name, or give none to play the sample"
    case .folder(let path): "\(path) is a folder; name an H.264 file in it"
    case .unreadable(let path, let reason): "\(path) cannot be read (\(reason)); name another file"
    case .empty(let path): "\(path) is empty; name an H.264 file"
    case .noStartCode(let path):
      "\(path) holds no start code, so it is not Annex B H.264; \(Self.conversion(path))"
    case .noPicture(let path):
      "\(path) holds no whole H.264 picture; \(Self.conversion(path))"
    case .foreign(let path, let format):
      "\(path) is \(format.rawValue), not Annex B H.264; \(Self.conversion(path))"
    case .unusableOutput(let path, let reason):
      "\(path) cannot be the output folder (\(reason)); name another one"
    case .unwritten(let path, let reason): "\(path) could not be written (\(reason))"
    case .unfinished(let call):
      "\(call) left a viewer waiting; if the file was being changed, play it again"
    case .undecodable:
      "a viewer who starts on a keyframe got bytes that do not decode; report it with the file"
    case .tooSlow: "a viewer read too slowly: more values waited for it than its backlog holds"
    }
  }

  /// The exit code, as in BSD's `sysexits.h`.
  var exitCode: Int32 {
    switch self {
    case .usage, .unusableOutput: 64
    case .missing, .folder, .unreadable, .empty, .noStartCode, .noPicture, .foreign: 66
    case .unfinished, .undecodable, .tooSlow: 70
    case .unwritten: 74
    }
  }

  private static func conversion(_ path: String) -> String {
    "convert a video with: ffmpeg -i \(path) -an -c:v libx264 out.h264"
  }
}
