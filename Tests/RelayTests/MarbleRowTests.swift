import Testing

@testable import relay

struct MarbleRowTests {
  private func row(
    _ received: Range<Int>, joinedAt: Int, hasOwnRun: Bool = false, keyframes: [Int] = [0, 5, 10]
  ) -> String {
    MarbleRow(
      scale: TimelineScale(frameCount: 12, joinPoints: [0, 4, 8]), keyframes: keyframes,
      joinedAt: joinedAt, received: received, hasOwnRun: hasOwnRun
    ).text
  }

  @Test func `a viewer from the start`() {
    #expect(row(0..<12, joinedAt: 0) == ">K-----K-----K-")
  }

  @Test func `late viewers who get only what comes next`() {
    #expect(row(4..<12, joinedAt: 4) == " k...>-K-----K-")
    #expect(row(8..<12, joinedAt: 8) == " k.....k..>--K-")
  }

  @Test func `late viewers with a replay`() {
    #expect(row(3..<12, joinedAt: 4) == " k..=>-K-----K-")
    #expect(row(5..<12, joinedAt: 8) == " k.....K==>--K-")
    #expect(row(0..<12, joinedAt: 8) == " K=====K==>--K-")
  }

  @Test func `a late viewer with a run of its own`() {
    #expect(row(0..<12, joinedAt: 8, hasOwnRun: true) == " K~~~~~K~~>~~K~")
  }

  @Test func `a viewer who got nothing, a file without keyframes`() {
    #expect(row(0..<0, joinedAt: 8) == " k.....k..>..k.")
    #expect(row(4..<12, joinedAt: 4, keyframes: []) == " ....>---------")
  }

  @Test func `a column of several frames shows what was received, and a keyframe before all else`()
  {
    let scale = TimelineScale(frameCount: 12, joinPoints: [0, 6], width: 4)
    #expect(scale.framesPerColumn == 3)
    func row(_ received: Range<Int>, keyframes: [Int]) -> String {
      MarbleRow(
        scale: scale, keyframes: keyframes, joinedAt: 6, received: received, hasOwnRun: false
      ).text
    }
    #expect(row(6..<12, keyframes: [1, 7]) == " k.>K-")
    #expect(row(5..<12, keyframes: [4, 11]) == " .=>-K")
  }
}
