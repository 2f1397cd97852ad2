/// What a first look at a file tells: how many frames, which of them are keyframes, what is odd.
struct Inspection: Equatable {
  private(set) var frameCount = 0
  private(set) var keyframes: [Int] = []
  /// What a viewer of the report should know about the file, a line each.
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
  /// Late means late: who joins at frame n comes behind frame n - 1, also in a file of one frame.
  var joinPoints: [Int] { [0, max(1, frameCount / 3), max(1, frameCount * 2 / 3)] }
}
