/// The number of slices in each picture of a stream, as long as all have the same number.
struct SliceCount {
  private var count: Int?
  private var isSteady = true
  private var pictures = 0

  /// Records the number of slices of the next whole picture.
  mutating func record(_ slices: Int) {
    isSteady = isSteady && slices == count ?? slices
    count = slices
    pictures += 1
  }

  /// The number that every picture so far had; `nil` if they differ, or if there are too few of
  /// them.
  var usual: Int? { isSteady && pictures >= 2 ? count : nil }
}
