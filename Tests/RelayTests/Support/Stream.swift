@testable import relay

/// Builds Annex B streams unit by unit.
struct Stream {
  private(set) var bytes: [UInt8] = []

  static func + (stream: Stream, other: Stream) -> Stream {
    Stream(bytes: stream.bytes + other.bytes)
  }

  static func unit(_ content: [UInt8], zeros: Int = 3) -> Stream {
    Stream(bytes: Array(repeating: 0, count: zeros) + [1] + content)
  }

  static let delimiter = unit([0x09, 0xF0])
  static let message = unit([0x06, 0x05, 0x01, 0xAA, 0x80])
  /// Numbers 0 and 1 are coded as 1 and 010.
  static func sequenceSet(_ number: Int = 0, level: UInt8 = 30) -> Stream {
    unit([0x67, 66, 0, level, number == 0 ? 0x80 : 0x40, 0x99])
  }
  static func pictureSet(_ number: Int = 0, tail: UInt8 = 0x99) -> Stream {
    unit([0x68, number == 0 ? 0xC0 : 0x50, tail])
  }
  static func keyframe(_ mark: UInt8 = 1) -> Stream { unit([0x65, 0x88, mark], zeros: 2) }
  static func picture(_ mark: UInt8 = 1) -> Stream { unit([0x41, 0x9A, mark], zeros: 2) }
  static func unreferenced(_ mark: UInt8 = 1) -> Stream { unit([0x01, 0x9E, mark], zeros: 2) }
  /// A further slice, which does not begin at the first macroblock.
  static func further(_ header: UInt8 = 0x41) -> Stream { unit([header, 0x5A, 0x77], zeros: 2) }
}
