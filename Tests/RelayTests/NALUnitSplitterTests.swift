import Testing

@testable import relay

struct NALUnitSplitterTests {
  @Test func `a stream split in two at any place gives the same units`() throws {
    let bytes = try Array(sampleBytes().prefix(2048))
    let whole = units(of: [bytes])
    #expect(whole.count > 4)
    for place in 0...bytes.count where units(of: [bytes[..<place], bytes[place...]]) != whole {
      Issue.record("split at \(place)")
    }
  }

  @Test func `a stream that comes byte by byte gives the same units`() throws {
    let bytes = try Array(sampleBytes().prefix(8192))
    #expect(units(of: bytes.map { [$0] }) == units(of: [bytes]))
  }

  @Test func `the units together are the stream`() throws {
    let bytes = try sampleBytes()
    #expect(units(of: [bytes]).flatMap(\.bytes) == bytes)
  }

  @Test func `start codes of three and four bytes, and zeros behind a unit`() {
    let stream: [UInt8] = [0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 2, 0, 0, 0, 0, 0, 1, 0x65, 3, 0, 0]
    let found = units(of: [stream])
    #expect(found.map { Array($0.content) } == [[0x67, 1], [0x68, 2], [0x65, 3, 0, 0]])
    #expect(found.map(\.startCodeLength) == [4, 3, 6])
    #expect(found.flatMap(\.bytes) == stream)
  }

  @Test func `bytes that prevent a false start code start no unit`() {
    let stream: [UInt8] = [0, 0, 1, 0x65, 0x88, 0, 0, 3, 1, 0, 0, 3, 0, 0, 3, 1, 0x80]
    #expect(units(of: [stream]).map { Array($0.content) } == [Array(stream.dropFirst(3))])
  }

  @Test func `garbage before the first start code is counted and left out`() {
    var splitter = NALUnitSplitter()
    splitter.append([9, 8, 0, 7, 0])
    #expect(splitter.next() == nil)
    splitter.append([0, 0, 1, 0x65, 0x88])
    splitter.end()
    #expect(splitter.next().map { Array($0.content) } == [0x65, 0x88])
    #expect(splitter.next() == nil)
    #expect(splitter.skippedCount == 4)
  }

  @Test(arguments: [[], [0], [0, 0], [0, 0, 0, 0], [7, 7, 7], [0, 0, 2, 1]] as [[UInt8]])
  func `no start code, no unit`(bytes: [UInt8]) {
    #expect(units(of: [bytes]).isEmpty)
    #expect(units(of: bytes.map { [$0] }).isEmpty)
  }

  @Test func `garbage without end is not kept`() {
    var splitter = NALUnitSplitter()
    for _ in 0..<100 {
      splitter.append(repeatElement(0, count: 1000))
      #expect(splitter.next() == nil)
    }
    #expect(splitter.skippedCount == 100_000 - 3)
  }

  @Test func `empty units between start codes are left out, a last one is told`() {
    let found = units(of: [[0, 0, 1, 0, 0, 1, 0x65, 0x88, 0, 0, 1] as [UInt8]])
    #expect(found.map { Array($0.content) } == [[0x65, 0x88], []])
    #expect(found.last?.isHeaderOnly == true)
  }
}
