import Testing

@testable import relay

/// Late and slow viewers of streams that are harder to join than the sample.
struct LateViewerTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func path(_ variant: SampleVariant) throws -> String {
    try folder.file(variant.bytes(), named: "\(variant).h264")
  }

  /// The frame at which a viewer starts that joins at the given one.
  private func start(_ mode: SharingMode, _ joinPoint: Int, _ keyframes: [Int]) -> Int {
    switch mode {
    case .unshared, .all: 0
    case .share: joinPoint
    case .latest: joinPoint - 1
    case .sinceKeyframe: keyframes.last { $0 < joinPoint } ?? 0
    }
  }

  @Test(arguments: SampleVariant.allCases, SharingMode.allCases)
  func `late viewers start where their way of joining promises`(
    variant: SampleVariant, mode: SharingMode
  ) throws {
    let path = try path(variant)
    let inspection = try Inspection(of: path)
    #expect(inspection.frameCount == variant.frameCount)
    #expect(inspection.keyframes == variant.keyframes)
    let screening = try Screening(mode, of: path, joinPoints: inspection.joinPoints)
    try screening.play()
    for viewer in screening.viewers.dropFirst() {
      let first = start(mode, viewer.joinedAt, variant.keyframes)
      #expect(viewer.received == first..<variant.frameCount)
    }
  }

  @Test(arguments: SampleVariant.allCases)
  func `a late viewer starts with parameter sets and a keyframe`(variant: SampleVariant) throws {
    let output = folder.path("out")
    _ = try run(path(variant), "--slow-viewer", "--output", output)
    let names = TestFolder.names(in: output).map { folder.path("out/" + $0) }
    #expect(names.count == 21)
    let late = names.filter { $0.hasSuffix("sinceKeyframe-viewer2.h264") || $0.contains("slow-") }
    #expect(late.count == 7)
    for name in late {
      let found = try units(of: [bytes(at: name)]).filter {
        $0.type != .supplementalEnhancementInformation
      }
      #expect(
        found.prefix(3).map(\.type) == [.sequenceParameterSet, .pictureParameterSet, .idrSlice])
    }
  }

  @Test(arguments: SampleVariant.allCases)
  func `a slow viewer accounts for every value, and rejoins at keyframes`(
    variant: SampleVariant
  ) throws {
    let path = try path(variant)
    let frames = variant.frameCount - variant.keyframes[0]
    for mode in BacklogMode.allCases where mode != .customError {
      let screening = try BacklogScreening(mode, of: path)
      try screening.play()
      #expect(screening.slow.accountedCount == frames + variant.parameterSetCount)
      #expect(screening.slow.frames.first == variant.keyframes[0])
      if mode == .rejoin {
        let starts = variant.keyframes.map { _ in true }
        #expect(screening.slow.starts == starts)
        #expect(screening.slow.frames.count < frames)
      }
    }
  }

  @Test(.enabled("needs ffmpeg") { FFmpeg() != nil }, arguments: SampleVariant.allCases)
  func `whoever starts on keyframes decodes without a message`(variant: SampleVariant) throws {
    let lines = try run(path(variant), "--slow-viewer", "--verify", ffmpeg: FFmpeg())
    let start = try #require(lines.firstIndex { $0.hasPrefix("Decoded by ffmpeg") })
    let rows = lines[start...].map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    func errors(_ name: String) throws -> Substring {
      let row = try #require(rows.last { $0.first == name[...] })
      return row[4]
    }
    for mode in BacklogMode.allCases {
      #expect(try (errors(mode.shortName) == "0") == mode.promisesDecoding)
    }
    let keyframe = try #require(rows.firstIndex { $0.first == ".sinceKeyframe" })
    for late in rows[keyframe + 1...keyframe + 2] { #expect(late[4] == "0") }
  }
}
