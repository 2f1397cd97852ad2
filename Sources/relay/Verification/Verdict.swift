/// A judgement of one viewer's bytes by their decoding, with a reason.
struct Verdict: Equatable {
  let received: Range<Int>
  /// The decoding; `nil` if nothing was received.
  let decoding: Decoding?
  private let nextKeyframe: Int?

  init(received: Range<Int>, keyframes: [Int], decoding: Decoding?) {
    self.received = received
    self.decoding = decoding
    nextKeyframe = keyframes.first(where: received.contains)
  }

  var isClean: Bool { decoding?.isClean ?? true }
  var startsOnKeyframe: Bool { nextKeyframe == received.first && !received.isEmpty }

  /// Whether the relay is at fault: the bytes of a viewer that starts on a keyframe must all
  /// decode.
  var isFault: Bool { startsOnKeyframe && !isClean }

  var reason: String {
    guard let first = received.first, let decoding else { return "nothing came after it joined" }
    if startsOnKeyframe {
      return isClean ? "starts on a keyframe" : decoding.complaint
    }
    if isClean, decoding.frameCount == received.count { return "decodes without a keyframe" }
    let start = "\(first == 0 ? "file starts" : "joined") between keyframes"
    guard let nextKeyframe else { return "\(start), and none came after" }
    let last = nextKeyframe - 1
    return
      "\(start): \(first == last ? "\(first) needs" : "\(first)-\(last) need") frames it missed"
  }
}
