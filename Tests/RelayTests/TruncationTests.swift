import Testing

@testable import relay

struct TruncationTests {
  private let start = Stream.sequenceSet() + .pictureSet() + .keyframe() + .picture()

  @Test(arguments: [[], [0x41], [0x65], [0x09], [0x67]] as [[UInt8]])
  func `a bare start code or header at the end is reported, the rest relayed`(rest: [UInt8]) {
    let (found, incompleteness) = accessUnits(of: start + .unit(rest))
    #expect(found.count == 2)
    #expect(incompleteness == "nothing follows its start code")
  }

  @Test func `an end before the slices of a picture is reported`() {
    let (found, incompleteness) = accessUnits(of: start + .delimiter + .message)
    #expect(found.count == 2)
    #expect(incompleteness == "it holds no picture")
  }

  @Test func `fewer slices than every other picture has is reported`() {
    let picture = Stream.picture() + .further() + .further()
    let (found, incompleteness) = accessUnits(of: picture + picture + .picture() + .further())
    #expect(found.count == 2)
    #expect(incompleteness == "it has 2 of the 3 slices of every other picture")
  }

  @Test func `pictures whose numbers of slices differ anyway say nothing about the last`() {
    let stream = Stream.picture() + .further() + .further() + .picture() + .further() + .picture()
    let (found, incompleteness) = accessUnits(of: stream)
    #expect(found.count == 3)
    #expect(incompleteness == nil)
  }

  @Test func `the sample cut anywhere before its last slice is noticed`() throws {
    let pictures = try units(of: [sampleBytes()]).suffix(5 * 12)
    let bytes = pictures.flatMap(\.bytes)
    let picture = pictures.suffix(12).flatMap(\.bytes).count
    let lastSlice = try #require(pictures.last).bytes.count
    // A cut between two pictures leaves no trace, nor one that leaves zeros only of the last one.
    for missing in lastSlice...(picture - 4) {
      let (found, incompleteness) = accessUnits(of: Stream(bytes: bytes.dropLast(missing)))
      if found.count != 4 || incompleteness == nil { Issue.record("\(missing) bytes missing") }
    }
  }

  @Test func `the reader says so in one line`() throws {
    let folder = try TestFolder()
    let path = try folder.file(Array(sampleBytes().dropLast(100)))
    let inspection = try Inspection(of: path)
    #expect(inspection.frameCount == 199)
    #expect(
      inspection.remarks == [
        "the last access unit is incomplete: it has 10 of the 12 slices of every other picture; the rest is relayed"
      ])
  }
}
