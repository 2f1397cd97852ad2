/// Puts units together into access units: one picture each, with what stands before it.
///
/// The first unit of the next picture ends the one before; the end of the stream ends the last one,
/// which is left out if it can be seen to be incomplete (see ``incompleteness``).
struct AccessUnitAssembler {
  /// Why the last access unit was left out, or `nil` if it was not.
  private(set) var incompleteness: String?
  /// How many units were left out because their header says that they are damaged.
  private(set) var damagedCount = 0

  private var units: [NALUnit] = []
  private var waiting: [NALUnit] = []
  private var parameterSets = ParameterSets()
  private var slices = SliceCount()
  private var lastUnit: NALUnit?
  private var nextIndex = 0

  /// Takes the next unit; the result is the access unit that it ends, if it ends one.
  mutating func append(_ unit: NALUnit) -> AccessUnit? {
    lastUnit = unit
    // Without a payload it cannot be told whose unit it is, and nobody could use it.
    if unit.isHeaderOnly { return nil }
    if unit.isDamaged {
      damagedCount += 1
      return nil
    }
    // A prefix unit goes with the slice behind it, which alone tells whose picture it is.
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

  /// The last access unit, once the stream has ended, if it is complete.
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
    let complete = isKeyframe ? parameterSets.completing(units) : units
    units = []
    defer { nextIndex += 1 }
    return AccessUnit(
      index: nextIndex, isKeyframe: isKeyframe, bytes: complete.flatMap(\.bytes))
  }
}
