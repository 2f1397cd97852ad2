/// The result of decoding one viewer's bytes.
struct Decoding: Equatable {
  let frameCount: Int
  /// The decoder's error messages, a line each.
  let errors: [String]

  /// Whether there is a picture, and no error.
  var isClean: Bool { errors.isEmpty && frameCount > 0 }

  /// The first error, in the decoder's words.
  var complaint: String {
    guard let error = errors.first else { return "ffmpeg found no picture in it" }
    // ffmpeg prefixes a message with its component, as in "[h264 @ 0x55f1]".
    let text = error.hasPrefix("[") ? error.drop { $0 != "]" }.dropFirst(2) : error[...]
    return "ffmpeg: \(text)"
  }
}
