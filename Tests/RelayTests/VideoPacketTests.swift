import Testing

@testable import relay

struct VideoPacketTests {
  private func packets(of stream: Stream) -> [VideoPacket] {
    var assembler = AccessUnitAssembler()
    assembler.completesKeyframes = false
    var found = units(of: [stream.bytes]).compactMap { assembler.append($0) }
    if let last = assembler.finish() { found.append(last) }
    return found.flatMap(\.packets)
  }

  private func picture(_ index: Int, _ stream: Stream, isKeyframe: Bool = false) -> VideoPacket {
    .picture(AccessUnit(index: index, isKeyframe: isKeyframe, bytes: stream.bytes))
  }

  @Test func `parameter sets come first, each with its kind and number`() {
    let sets = Stream.sequenceSet(0) + .sequenceSet(1) + .pictureSet(1)
    #expect(
      packets(of: sets + .message + .keyframe() + .picture()) == [
        .parameterSet("sps 0", bytes: Stream.sequenceSet(0).bytes),
        .parameterSet("sps 1", bytes: Stream.sequenceSet(1).bytes),
        .parameterSet("pps 1", bytes: Stream.pictureSet(1).bytes),
        picture(0, .message + .keyframe(), isKeyframe: true), picture(1, .picture()),
      ])
  }

  @Test func `a keyframe that lacks its parameter sets stays as it is`() {
    let found = packets(of: .sequenceSet() + .pictureSet() + .keyframe() + .keyframe(2))
    #expect(found.map(\.header) == ["sps 0", "pps 0", nil, nil])
    #expect(found.map(\.isKeyframe) == [false, false, true, true])
    #expect(found.last?.bytes == Stream.keyframe(2).bytes)
  }

  @Test func `a parameter set whose number is cut short stays with its picture`() {
    let stream = Stream.unit([0x68, 0x01]) + .keyframe()
    #expect(packets(of: stream) == [picture(0, stream, isKeyframe: true)])
  }

  @Test func `the sample's packets are its bytes`() throws {
    let found = try packets(of: Stream(bytes: sampleBytes()))
    #expect(found.count == 208)
    #expect(try found.flatMap(\.bytes) == sampleBytes())
  }
}
