/// An assembler that groups units into access units: one picture each, with the units before it.
///
/// The first unit of the next picture ends the picture before; the end of the stream ends the last
/// one, which is left out if it is recognisably incomplete (see ``incompleteness``).
struct AccessUnitAssembler {
  /// Whether a keyframe is given the parameter sets that it does not carry itself.
  var completesKeyframes = true
  /// The reason for which the last access unit was left out, or `nil` if it was not.
  private(set) var incompleteness: String?
  /// The number of units left out because their header marks them as damaged.
  private(set) var damagedCount = 0

  private var units: [NALUnit] = []
  private var waiting: [NALUnit] = []
  private var parameterSets = ParameterSets()
  private var slices = SliceCount()
  private var lastUnit: NALUnit?
  private var nextIndex = 0

  /// Appends the next unit, and returns the access unit that it ends, if any.
  mutating func append(_ unit: NALUnit) -> AccessUnit? {
    lastUnit = unit
    // A unit without a payload is useless, and its picture cannot be determined.
    if unit.isHeaderOnly { return nil }
    if unit.isDamaged {
      damagedCount += 1
      return nil
    }
    // A prefix unit belongs to the slice after it, which alone identifies its picture.
    if unit.type == .prefix {
      waiting.append(unit)
      return nil
    }
    let finished = opensAccessUnit(unit) ? takePicture() : nil
    parameterSets.remember(unit)
    units += waiting + [unit]
    waiting = []
    return finished
  }

  /// Returns the last access unit, if it is complete; call it at the end of the stream.
  mutating func finish() -> AccessUnit? {
    if !units.isEmpty, sliceCount == 0 {
      incompleteness = "it holds no picture"
    } else if let usual = slices.usual, (1..<usual).contains(sliceCount) {
      incompleteness = "it has \(sliceCount) of the \(usual) slices of every other picture"
    } else {
      let last = takePicture()
      if lastUnit?.isHeaderOnly == true { incompleteness = "nothing follows its start code" }
      return last
    }
    return nil
  }

  private var sliceCount: Int { units.count { $0.type.isSlice } }

  private func opensAccessUnit(_ unit: NALUnit) -> Bool {
    guard let slice = units.last(where: { $0.type.isSlice }) else { return false }
    guard unit.type.isSlice else { return unit.type.opensAccessUnit }
    return unit.startsAtFirstMacroblock
      || (unit.type == .idrSlice) != (slice.type == .idrSlice)
      || unit.isReference != slice.isReference
  }

  private mutating func takePicture() -> AccessUnit? {
    guard !units.isEmpty else { return nil }
    slices.record(sliceCount)
    let isKeyframe = units.contains { $0.type == .idrSlice }
    let complete =
      isKeyframe && completesKeyframes ? parameterSets.completing(units) : units
    units = []
    defer { nextIndex += 1 }
    return AccessUnit(
      index: nextIndex, isKeyframe: isKeyframe, bytes: complete.flatMap(\.bytes))
  }
}
