import Fanout
import Testing

@testable import relay

struct BacklogScreeningTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func play(_ mode: BacklogMode, _ path: String) throws -> BacklogScreening {
    let screening = try BacklogScreening(mode, of: path)
    try screening.play()
    return screening
  }

  @Test(
    arguments: [
      (.unbounded, 208, 0, 1), (.dropOldest, 119, 89, 87), (.dropNewest, 119, 89, 87),
      (.rejoin, 130, 78, 4), (.wait, 208, 0, 1),
    ] as [(BacklogMode, Int, Int, Int)])
  func `what is received and what is missed are all values`(
    mode: BacklogMode, received: Int, missed: Int, starts: Int
  ) throws {
    let screening = try play(mode, SampleFile.path)
    #expect(screening.fast.frames == Array(0..<200))
    #expect(screening.fast.receivedCount == 208)
    let slow = screening.slow
    #expect(slow.receivedCount == received)
    #expect(slow.missedCount == missed)
    #expect(received + missed == 208)
    #expect(slow.starts.count == starts)
    #expect(slow.starts.allSatisfy(\.self) == (missed == 0 || mode == .rejoin))
    #expect(slow.completion == .finished)
  }

  @Test func `a viewer who rejoins gets whole runs from keyframes`() throws {
    let frames = try play(.rejoin, SampleFile.path).slow.frames
    #expect(frames.count < 200)
    for (frame, next) in zip(frames, frames.dropFirst()) where next != frame + 1 {
      #expect(next % 50 == 0)
    }
    #expect(frames.suffix(50) == Array(150..<200)[...])
  }

  @Test func `a source that waits is never more than a backlog ahead`() throws {
    #expect(try play(.wait, SampleFile.path).slow.greatestLag <= BacklogMode.size)
    #expect(try play(.unbounded, SampleFile.path).slow.greatestLag > 100)
  }

  @Test func `a viewer whose backlog fails keeps what came before`() throws {
    let screening = try play(.customError, SampleFile.path)
    #expect(screening.slowFailed)
    #expect(screening.slow.frames == Array(0..<28))
    #expect(screening.slow.lag(behind: screening.fast) == 172)
    #expect(screening.fast.completion == .finished)
  }

  @Test(arguments: BacklogMode.allCases)
  func `a file of one frame, and one without a keyframe, come to an end`(mode: BacklogMode) throws {
    let sets = Stream.sequenceSet() + .pictureSet()
    let one = try folder.file((sets + .keyframe()).bytes, named: "one.h264")
    let slow = try play(mode, one).slow
    #expect(slow.receivedCount == 3)
    #expect(slow.frames == [0])
    let none = try folder.file((sets + .picture() + .picture()).bytes, named: "none.h264")
    let screening = try play(mode, none)
    #expect(screening.fast.frames == [0, 1])
    #expect(screening.slow.accountedCount == 0)
  }

  @Test(arguments: BacklogMode.allCases)
  func `a file that is gone is an error, not a wait`(mode: BacklogMode) throws {
    #expect(throws: RelayError.missing("/nowhere.h264")) { try play(mode, "/nowhere.h264") }
  }

  @Test(arguments: BacklogMode.allCases)
  func `nobody is kept, and no file left open, when it is over`(mode: BacklogMode) throws {
    let path = try folder.file(sampleBytes())
    weak var fast: PacketViewer?
    weak var slow: PacketViewer?
    do {
      let screening = try play(mode, path)
      fast = screening.fast
      slow = screening.slow
    }
    #expect(fast == nil)
    #expect(slow == nil)
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }
}
