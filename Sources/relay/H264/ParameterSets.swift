/// The last sequence and picture parameter set of each number: no picture can be decoded without.
struct ParameterSets {
  private var sequence: [Int: NALUnit] = [:]
  private var picture: [Int: NALUnit] = [:]

  /// Remembers a parameter set; of units of other types it takes no notice.
  mutating func remember(_ unit: NALUnit) {
    guard let number = Self.number(of: unit) else { return }
    if unit.type == .sequenceParameterSet {
      sequence[number] = unit
    } else {
      picture[number] = unit
    }
  }

  /// A keyframe's units with the sets it lacks, so that a viewer can start there knowing nothing.
  func completing(_ units: [NALUnit]) -> [NALUnit] {
    let sequenceSets = missing(from: units, sequence, of: .sequenceParameterSet)
    let pictureSets = missing(from: units, picture, of: .pictureParameterSet)
    guard !sequenceSets.isEmpty || !pictureSets.isEmpty else { return units }
    let delimiters = units.prefix { $0.type == .accessUnitDelimiter }
    let own = units.filter { $0.type == .sequenceParameterSet }
    let rest = units.filter {
      $0.type != .accessUnitDelimiter && $0.type != .sequenceParameterSet
    }
    // Decoders read picture sets by sequence sets, and messages (SEI) by both: hence this order.
    return [Array(delimiters), sequenceSets, own, pictureSets, rest].flatMap(\.self)
  }

  private func missing(
    from units: [NALUnit], _ known: [Int: NALUnit], of type: NALUnitType
  ) -> [NALUnit] {
    let carried = units.filter { $0.type == type }.compactMap(Self.number)
    return known.filter { !carried.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  private static func number(of unit: NALUnit) -> Int? {
    switch unit.type {
    case .sequenceParameterSet:
      // profile_idc, constraint flags and level_idc stand before the number.
      var bits = BitReader(unit.payload.dropFirst(3))
      return bits.exponentialGolomb()
    case .pictureParameterSet:
      var bits = BitReader(unit.payload)
      return bits.exponentialGolomb()
    default:
      return nil
    }
  }
}
