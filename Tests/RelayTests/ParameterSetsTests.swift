import Testing

@testable import relay

struct ParameterSetsTests {
  private let sets = Stream.sequenceSet() + .pictureSet()

  @Test func `a keyframe that lacks its parameter sets gets the last ones`() {
    let changed = Stream.sequenceSet(level: 31) + .pictureSet(tail: 7)
    let found = accessUnits(
      of: sets + .keyframe() + .picture() + .keyframe(2) + changed + .picture() + .keyframe(3)
    ).units
    #expect(found[2].bytes == (sets + .keyframe(2)).bytes)
    #expect(found[4].bytes == (changed + .keyframe(3)).bytes)
  }

  @Test func `a keyframe that has its own keeps them`() {
    let own = Stream.sequenceSet(level: 31) + .pictureSet(tail: 7) + .keyframe()
    #expect(accessUnits(of: sets + .keyframe() + own).units[1].bytes == own.bytes)
  }

  @Test func `what it lacks stands behind the delimiter and before all that needs it`() {
    let late = Stream.delimiter + .message + .keyframe(2)
    let found = accessUnits(of: sets + .keyframe() + late).units
    #expect(found[1].bytes == (.delimiter + sets + .message + .keyframe(2)).bytes)
  }

  @Test func `only the half that is missing is added`() {
    let sequence = Stream.sequenceSet(level: 31)
    let found = accessUnits(of: sets + .keyframe() + sequence + .keyframe(2)).units
    #expect(found[1].bytes == (sequence + .pictureSet() + .keyframe(2)).bytes)
  }

  @Test func `sets of several numbers are kept apart`() {
    let all = Stream.sequenceSet(0) + .sequenceSet(1) + .pictureSet(0) + .pictureSet(1)
    let found = accessUnits(of: all + .keyframe() + .picture() + .keyframe(2)).units
    #expect(found[2].bytes == (all + .keyframe(2)).bytes)
  }

  @Test func `sets that come behind a keyframe are not given to it`() {
    let found = accessUnits(of: .keyframe() + sets + .keyframe(2)).units
    #expect(found.map(\.bytes) == [Stream.keyframe().bytes, (sets + .keyframe(2)).bytes])
  }

  @Test func `other pictures are left as they are`() {
    let found = accessUnits(of: sets + .keyframe() + .picture()).units
    #expect(found[1].bytes == Stream.picture().bytes)
  }

  @Test(arguments: [([0x80], 0), ([0x40], 1), ([0x20], 3), ([0x00, 0x80, 0x00], 255)])
  func `numbers are read as Exp-Golomb codes`(bytes: [UInt8], number: Int) {
    var bits = BitReader(bytes[...])
    #expect(bits.exponentialGolomb() == number)
  }

  @Test func `a code that is cut short has no number`() {
    var bits = BitReader([0x00])
    #expect(bits.exponentialGolomb() == nil)
    var none = BitReader([])
    #expect(none.exponentialGolomb() == nil)
  }

  @Test func `codes are read past the bytes that prevent a false start code`() {
    var bits = BitReader([0, 0, 3, 0x01, 0x00, 0x00, 0x03, 0x00])
    #expect(bits.exponentialGolomb() == 1 << 23 - 1)
  }
}
