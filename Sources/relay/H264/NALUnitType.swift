/// The `nal_unit_type` of ITU-T H.264, table 7-1.
struct NALUnitType: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  static let slice = Self(rawValue: 1)
  static let dataPartitionA = Self(rawValue: 2)
  static let idrSlice = Self(rawValue: 5)
  static let supplementalEnhancementInformation = Self(rawValue: 6)
  static let sequenceParameterSet = Self(rawValue: 7)
  static let pictureParameterSet = Self(rawValue: 8)
  static let accessUnitDelimiter = Self(rawValue: 9)
  static let endOfSequence = Self(rawValue: 10)
  static let endOfStream = Self(rawValue: 11)
  static let prefix = Self(rawValue: 14)

  /// Whether a unit of this type begins with a slice header.
  var isSlice: Bool { self == .slice || self == .dataPartitionA || self == .idrSlice }

  /// Whether a unit of this type, after a picture, opens the next access unit (7.4.1.2.3).
  var opensAccessUnit: Bool { (6...9).contains(rawValue) || (14...18).contains(rawValue) }
}
