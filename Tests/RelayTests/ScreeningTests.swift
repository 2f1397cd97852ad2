import Fanout
import Testing

@testable import relay

struct ScreeningTests {
  /// Three viewers tune in at frames 0, 66 and 133 of 200, with keyframes at 0, 50, 100, 150.
  @Test(
    arguments: [
      (.unshared, [0, 0, 0], 3), (.share, [0, 66, 133], 1), (.latest, [0, 65, 132], 1),
      (.sinceKeyframe, [0, 50, 100], 1), (.all, [0, 0, 0], 1),
    ] as [(SharingMode, [Int], Int)])
  func `each viewer gets what its way of joining promises`(
    mode: SharingMode, firstFrames: [Int], reads: Int
  ) throws {
    let screening = try Screening(mode, of: SampleFile.path, joinPoints: [0, 66, 133])
    try screening.play()
    #expect(screening.viewers.map(\.received) == firstFrames.map { $0..<200 })
    #expect(screening.viewers.map(\.completion) == [.finished, .finished, .finished])
    #expect(screening.readCount == reads)
  }

  @Test(arguments: SharingMode.allCases)
  func `who joins behind the last frame gets the replay and the end`(mode: SharingMode) throws {
    let folder = try TestFolder()
    let path = try folder.file((Stream.sequenceSet() + .pictureSet() + .keyframe()).bytes)
    let screening = try Screening(mode, of: path, joinPoints: [0, 1, 1])
    try screening.play()
    let late = mode == .share ? 0 : 1
    #expect(screening.viewers.map(\.received.count) == [1, late, late])
    #expect(screening.viewers.map(\.completion) == [.finished, .finished, .finished])
  }

  @Test(arguments: SharingMode.allCases)
  func `a file that is gone is an error, not a wait`(mode: SharingMode) throws {
    let screening = try Screening(mode, of: "/nowhere.h264", joinPoints: [0, 1, 1])
    #expect(throws: RelayError.missing("/nowhere.h264")) { try screening.play() }
  }

  @Test(arguments: SharingMode.allCases)
  func `nobody is kept, and no file left open, when it is over`(mode: SharingMode) throws {
    let folder = try TestFolder()
    let path = try folder.file(sampleBytes())
    weak var kept: Viewer?
    do {
      let screening = try Screening(mode, of: path, joinPoints: [0, 66, 133])
      try screening.play()
      kept = screening.viewers.last
    }
    #expect(kept == nil)
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }
}
