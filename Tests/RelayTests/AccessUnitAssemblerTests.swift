import Testing

@testable import relay

struct AccessUnitAssemblerTests {
  @Test func `the sample has 200 access units, a keyframe every 50, and loses no byte`() throws {
    var reader = try AccessUnitReader(path: SampleFile.path, pieceSize: 4096)
    var found: [AccessUnit] = []
    while let unit = try reader.next() { found.append(unit) }
    #expect(found.map(\.index) == Array(0..<200))
    #expect(found.filter(\.isKeyframe).map(\.index) == [0, 50, 100, 150])
    #expect(try found.flatMap(\.bytes) == sampleBytes())
    #expect(reader.remarks.isEmpty)
  }

  @Test func `what stands before a picture belongs to it`() {
    let first = Stream.delimiter + .sequenceSet() + .pictureSet() + .message + .keyframe()
    let second = Stream.delimiter + .picture()
    let third = Stream.message + .unreferenced()
    let found = accessUnits(of: first + second + third).units
    #expect(found.map(\.bytes) == [first.bytes, second.bytes, third.bytes])
    #expect(found.map(\.isKeyframe) == [true, false, false])
  }

  @Test func `the slices of a picture stay together`() {
    let key = Stream.sequenceSet() + .pictureSet() + .keyframe() + .further(0x65) + .further(0x65)
    let next = Stream.picture() + .further() + .further()
    let found = accessUnits(of: key + next + next).units
    #expect(found.map(\.bytes) == [key.bytes, next.bytes, next.bytes])
  }

  @Test func `a picture whose first slice is lost is told by what it is`() {
    let key = Stream.sequenceSet() + .pictureSet() + .keyframe()
    let found = accessUnits(of: key + .further(0x41) + .further(0x01) + .further(0x01)).units
    #expect(found.count == 3)
  }

  @Test func `a prefix unit goes with the slice behind it`() {
    let prefix = Stream.unit([0x6E, 0x40, 0x80])
    let first = prefix + .picture() + prefix + .further()
    let second = prefix + .picture() + prefix + .further()
    #expect(accessUnits(of: first + second).units.map(\.bytes) == [first, second].map(\.bytes))
  }

  @Test func `fillers and end units belong to the picture before them`() {
    let filler = Stream.unit([0x0C, 0xFF, 0x80])
    let first = Stream.picture() + filler + .unit([0x0A])
    let second = Stream.picture() + .unit([0x0B])
    let (found, incompleteness) = accessUnits(of: first + second)
    #expect(found.map(\.bytes) == [first.bytes, second.bytes])
    #expect(incompleteness == nil)
  }

  @Test func `a unit with the forbidden bit set is left out`() {
    let (found, _) = accessUnits(of: .picture(1) + .unit([0xE5, 0x88, 1]) + .picture(2))
    #expect(found.map(\.bytes) == [Stream.picture(1).bytes, Stream.picture(2).bytes])
  }
}
