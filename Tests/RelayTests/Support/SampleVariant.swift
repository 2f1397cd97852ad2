@testable import relay

/// Streams made from the sample that are harder to join.
enum SampleVariant: String, CaseIterable {
  /// Only the first keyframe carries its parameter sets.
  case parameterSetsOnce
  /// The first 20 frames are cut off, and all behind frame 188 but some slices: so it begins with
  /// frames that need others, and keyframes stand at 30, 80 and 130 of 169.
  case cutMidGroup

  var frameCount: Int { self == .parameterSetsOnce ? 200 : 169 }
  var keyframes: [Int] { self == .parameterSetsOnce ? [0, 50, 100, 150] : [30, 80, 130] }
  /// The number of parameter sets with which a viewer can start at the first keyframe, or later.
  var parameterSetCount: Int { self == .parameterSetsOnce ? 2 : 6 }

  func bytes() throws -> [UInt8] {
    let units = try units(of: [sampleBytes()])
    switch self {
    case .parameterSetsOnce:
      let start = units.prefix { !$0.type.isSlice }
      let rest = units[start.count...].filter {
        $0.type != .sequenceParameterSet && $0.type != .pictureParameterSet
      }
      return (start + rest).flatMap(\.bytes)
    case .cutMidGroup:
      var slices = 0
      let places = units.map { unit in
        slices += unit.type.isSlice ? 1 : 0
        return slices
      }
      // Twelve slices to a picture.
      let kept = zip(units, places).filter { (12 * 20 + 1...12 * 189 + 5).contains($1) }
      return kept.flatMap(\.0.bytes)
    }
  }
}
