/// The last sequence and picture parameter set of each number, which decoding any picture requires.
struct ParameterSets {
  private var sequence: [Int: NALUnit] = [:]
  private var picture: [Int: NALUnit] = [:]

  /// Remembers a parameter set, and ignores units of other types.
  mutating func remember(_ unit: NALUnit) {
    guard let number = Self.number(of: unit) else { return }
    if unit.type == .sequenceParameterSet {
      sequence[number] = unit
    } else {
      picture[number] = unit
    }
  }

  /// Returns a keyframe's units with the missing sets added, so that a viewer can start there.
  func completing(_ units: [NALUnit]) -> [NALUnit] {
    let sequenceSets = missing(from: units, sequence, of: .sequenceParameterSet)
    let pictureSets = missing(from: units, picture, of: .pictureParameterSet)
    guard !sequenceSets.isEmpty || !pictureSets.isEmpty else { return units }
    let delimiters = units.prefix { $0.type == .accessUnitDelimiter }
    let own = units.filter { $0.type == .sequenceParameterSet }
    let rest = units.filter {
      $0.type != .accessUnitDelimiter && $0.type != .sequenceParameterSet
    }
    // Picture sets refer to sequence sets, and messages (SEI) to both: hence this order.
    return [Array(delimiters), sequenceSets, own, pictureSets, rest].flatMap(\.self)
  }

  private func missing(
    from units: [NALUnit], _ known: [Int: NALUnit], of type: NALUnitType
  ) -> [NALUnit] {
    let carried = units.filter { $0.type == type }.compactMap(Self.number)
    return known.filter { !carried.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Returns the kind and the number of a parameter set, such as "sps 0", and `nil` for other
  /// units.
  static func name(of unit: NALUnit) -> String? {
    guard let number = number(of: unit) else { return nil }
    return unit.type == .sequenceParameterSet ? "sps \(number)" : "pps \(number)"
  }

  private static func number(of unit: NALUnit) -> Int? {
    switch unit.type {
    case .sequenceParameterSet:
      // The number follows profile_idc, the constraint flags and level_idc.
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
