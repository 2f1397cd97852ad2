/// The layout of a file's frames on a line of characters.
///
/// No column spans a place where a viewer tunes in; tuning in has a column of its own.
struct TimelineScale {
  /// One character of a row.
  enum Column: Equatable {
    case join(before: Int)
    case frames(Range<Int>)
  }

  let columns: [Column]
  private let lastFrame: Int

  init(frameCount: Int, joinPoints: [Int], width: Int = 78) {
    let width = min(width, frameCount)
    let joins = Set(joinPoints).sorted()
    var columns: [Column] = []
    for (start, end) in zip(joins, joins.dropFirst() + [frameCount]) {
      columns.append(.join(before: start))
      let length = end - start
      let share = min(length, max(1, length * width / frameCount))
      for column in 0..<share {
        let bounds = (start + length * column / share)..<(start + length * (column + 1) / share)
        columns.append(.frames(bounds))
      }
    }
    self.columns = columns
    lastFrame = frameCount - 1
  }

  /// The greatest number of frames that one character stands for.
  var framesPerColumn: Int {
    columns.map { if case .frames(let frames) = $0 { frames.count } else { 1 } }.max() ?? 1
  }

  /// The frame numbers above the rows: of each place where a viewer tunes in, and of the last
  /// frame.
  var ruler: String {
    var line = ""
    for (place, column) in columns.enumerated() {
      guard case .join(let frame) = column, line.isEmpty || line.count < place else { continue }
      line += String(repeating: " ", count: place - line.count) + String(frame)
    }
    let last = String(lastFrame)
    let gap = columns.count - last.count - line.count
    return gap > 0 ? line + String(repeating: " ", count: gap) + last : line
  }
}
