import Testing

@testable import relay

struct InputTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `a missing file`() {
    #expect(throws: RelayError.missing("/nowhere.h264")) { try Inspection(of: "/nowhere.h264") }
    #expect(throws: RelayError.missing("")) { try Inspection(of: "") }
  }

  @Test func `a folder`() {
    #expect(throws: RelayError.folder("/")) { try Inspection(of: "/") }
  }

  @Test func `a device, which has no end and no start to go back to`() {
    #expect(throws: RelayError.unreadable("/dev/null", reason: "not a regular file")) {
      try Inspection(of: "/dev/null")
    }
  }

  @Test func `an empty file`() throws {
    let path = try folder.file([])
    #expect(throws: RelayError.empty(path)) { try Inspection(of: path) }
  }

  @Test func `garbage without a start code`() throws {
    let path = try folder.file((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 | 2) })
    #expect(throws: RelayError.noStartCode(path)) { try Inspection(of: path) }
  }

  @Test func `units without a picture`() throws {
    let path = try folder.file((Stream.sequenceSet() + .pictureSet() + .message).bytes)
    #expect(throws: RelayError.noPicture(path)) { try Inspection(of: path) }
  }

  @Test func `only the start of a picture`() throws {
    let path = try folder.file((Stream.sequenceSet() + .pictureSet() + .unit([0x65])).bytes)
    #expect(throws: RelayError.noPicture(path)) { try Inspection(of: path) }
  }

  @Test(
    arguments: [
      (ForeignFormat.mp4, [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 1, 0x65, 0x88]),
      (.matroska, [0x1A, 0x45, 0xDF, 0xA3, 0]), (.programStream, [0, 0, 1, 0xBA, 0x44]),
      (.transportStream, [0x47] + Array(repeating: 0, count: 187) + [0x47]),
      (.mpegVideo, [0, 0, 1, 0xB3, 0x14]), (.hevc, [0, 0, 0, 1, 0x40, 0x01, 0x0C]),
      (.avi, Array("RIFF0000AVI ".utf8)), (.flash, Array("FLV".utf8)),
    ] as [(ForeignFormat, [UInt8])])
  func `other formats are called by their names`(format: ForeignFormat, bytes: [UInt8]) throws {
    let path = try folder.file(bytes)
    #expect(throws: RelayError.foreign(path, format)) { try Inspection(of: path) }
  }

  @Test func `what is odd is remarked`() throws {
    let pictures = Stream.picture(1) + .unit([0x81, 0x9A]) + .picture(2)
    let path = try folder.file([1, 2, 3] + pictures.bytes + [0, 0, 1])
    let inspection = try Inspection(of: path)
    #expect(inspection.frameCount == 2)
    #expect(
      inspection.remarks == [
        "before the first start code, 3 bytes left out",
        "1 damaged unit left out",
        "the last access unit is incomplete: nothing follows its start code; the rest is relayed",
        "the file has no keyframe (IDR), so no viewer can start cleanly",
      ])
  }

  @Test(arguments: [(1, [0, 1, 1]), (2, [0, 1, 1]), (3, [0, 1, 2]), (200, [0, 66, 133])])
  func `viewers tune in at the start, a third and two thirds in`(count: Int, joins: [Int]) {
    #expect(Inspection(frameCount: count, keyframes: []).joinPoints == joins)
  }
}
