/// The result of a first look at a file: its number of frames, its keyframes and its oddities.
struct Inspection: Equatable {
  private(set) var frameCount = 0
  private(set) var keyframes: [Int] = []
  /// Remarks for the viewer of the report, a line each.
  private(set) var remarks: [String] = []

  init(frameCount: Int, keyframes: [Int]) {
    self.frameCount = frameCount
    self.keyframes = keyframes
  }

  init(of path: String) throws(RelayError) {
    var reader = try AccessUnitReader(path: path, pieceSize: 65_536)
    while let unit = try reader.next() {
      frameCount += 1
      if unit.isKeyframe { keyframes.append(unit.index) }
    }
    remarks = reader.remarks
    if keyframes.isEmpty {
      remarks.append("the file has no keyframe (IDR), so no viewer can start cleanly")
    }
  }

  /// The frames at which the viewers tune in: at the start, a third and two thirds in.
  ///
  /// A late viewer is always late: one that joins at frame n comes after frame n - 1, also in a
  /// file of one frame.
  var joinPoints: [Int] { [0, max(1, frameCount / 3), max(1, frameCount * 2 / 3)] }
}
