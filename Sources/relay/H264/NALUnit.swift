/// A network abstraction layer unit: the piece between two start codes of an Annex B stream.
struct NALUnit: Equatable, Sendable {
  /// The bytes of the unit in the file, with its start code and the zeros before that.
  let bytes: [UInt8]
  /// The number of ``bytes`` that are start code.
  let startCodeLength: Int

  /// The unit itself: one header byte, then the payload.
  var content: ArraySlice<UInt8> { bytes[startCodeLength...] }

  var payload: ArraySlice<UInt8> { content.dropFirst() }

  var type: NALUnitType { NALUnitType(rawValue: (content.first ?? 0) & 0x1F) }

  /// Whether `nal_ref_idc` marks the unit as a reference of other pictures.
  var isReference: Bool { (content.first ?? 0) & 0x60 != 0 }

  /// Whether `forbidden_zero_bit` is set, which is never so in a sound unit.
  var isDamaged: Bool { (content.first ?? 0) & 0x80 != 0 }

  /// Whether the unit ends before its payload has begun.
  var isHeaderOnly: Bool {
    payload.isEmpty && type != .endOfSequence && type != .endOfStream
  }

  /// Whether a slice is the first of its picture: `first_mb_in_slice` is 0, in ue(v) one set bit.
  var startsAtFirstMacroblock: Bool { (payload.first ?? 0) & 0x80 != 0 }
}
