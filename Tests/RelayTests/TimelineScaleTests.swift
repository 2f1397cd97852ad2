import Testing

@testable import relay

struct TimelineScaleTests {
  @Test(arguments: [1, 2, 3, 5, 77, 78, 79, 200, 1001, 123_457])
  func `every frame has one column, in order, and the line fits`(frameCount: Int) {
    let joins = Inspection(frameCount: frameCount, keyframes: []).joinPoints
    let scale = TimelineScale(frameCount: frameCount, joinPoints: joins)
    var next = 0
    for column in scale.columns {
      switch column {
      case .join(let frame): #expect(frame == next && joins.contains(frame))
      case .frames(let frames):
        #expect(frames.lowerBound == next && !frames.isEmpty)
        next = frames.upperBound
      }
    }
    #expect(next == frameCount)
    #expect(scale.columns.count <= 81)
    #expect(scale.ruler.count <= 88)
  }

  @Test func `the ruler names the places where viewers tune in, and the last frame`() {
    let scale = TimelineScale(frameCount: 12, joinPoints: [0, 4, 8])
    #expect(scale.ruler == "0    4    8  11")
  }

  @Test func `numbers that have no room are left out`() {
    let scale = TimelineScale(frameCount: 3, joinPoints: [0, 1, 2])
    #expect(scale.ruler == "0 1 2")
    #expect(TimelineScale(frameCount: 1, joinPoints: [0, 1]).ruler == "0 1")
  }
}
