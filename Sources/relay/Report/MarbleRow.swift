/// One viewer's line of the timeline: a character for the fate of each frame, or of a few frames.
struct MarbleRow {
  static let legend = """
    >  tunes in         K  keyframe received    k  keyframe missed      .  missed
    =  replayed to it   -  received live        ~  from its own run of the file
    """

  let scale: TimelineScale
  let keyframes: [Int]
  /// The next frame at the time when the viewer tunes in.
  let joinedAt: Int
  let received: Range<Int>
  let hasOwnRun: Bool

  var text: String {
    String(
      scale.columns.map { column in
        switch column {
        case .join(before: joinedAt): ">"
        case .join(before: 0): " "
        // Another viewer tunes in: the line continues, if it had begun.
        case .join(let frame): received.contains(frame - 1) ? line(at: frame) : "."
        case .frames(let frames): character(for: frames)
        }
      })
  }

  private func character(for frames: Range<Int>) -> Character {
    let shown = frames.clamped(to: received)
    guard let frame = shown.first else {
      return keyframes.contains(where: frames.contains) ? "k" : "."
    }
    return keyframes.contains(where: shown.contains) ? "K" : line(at: frame)
  }

  private func line(at frame: Int) -> Character {
    guard received.contains(frame) else { return "." }
    if hasOwnRun { return "~" }
    return frame < joinedAt ? "=" : "-"
  }
}
