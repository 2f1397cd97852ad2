import Fanout
import Testing

@testable import relay

struct VideoSourceDemandTests {
  private let source = VideoSource(path: SampleFile.path)

  @Test func `nothing comes that is not asked for`() {
    let viewer = Recorder()
    source.receive(subscriber: viewer)
    #expect(viewer.indices.isEmpty)
    viewer.subscription?.request(.none)
    #expect(viewer.indices.isEmpty)
    viewer.subscription?.request(.max(3))
    #expect(viewer.indices == [0, 1, 2])
    viewer.subscription?.request(.max(2))
    #expect(viewer.indices == [0, 1, 2, 3, 4])
    #expect(viewer.completions.isEmpty)
    viewer.subscription?.cancel()
  }

  @Test func `unlimited demand gets all, then the end`() {
    let viewer = Recorder()
    viewer.whenSubscribed = { $0.request(.unlimited) }
    source.receive(subscriber: viewer)
    #expect(viewer.indices == Array(0..<200))
    #expect(viewer.completions == [.finished])
  }

  @Test func `the end follows the last frame without being asked for`() {
    let viewer = Recorder()
    source.receive(subscriber: viewer)
    viewer.subscription?.request(.max(199))
    #expect(viewer.completions.isEmpty)
    viewer.subscription?.request(.max(1))
    #expect(viewer.indices.count == 200)
    #expect(viewer.completions == [.finished])
    viewer.subscription?.request(.max(1))
    #expect(viewer.completions == [.finished])
  }

  @Test func `demand returned from receive counts`() {
    let viewer = Recorder()
    viewer.whenReceived = { _, unit in unit.index < 9 ? .max(1) : .none }
    source.receive(subscriber: viewer)
    viewer.subscription?.request(.max(1))
    #expect(viewer.indices == Array(0..<10))
    viewer.subscription?.cancel()
  }

  @Test func `demand raised inside receive counts, and adds no depth`() {
    let viewer = Recorder()
    viewer.whenSubscribed = { $0.request(.max(1)) }
    viewer.whenReceived = { viewer, _ in
      viewer.subscription?.request(.max(1))
      return .none
    }
    source.receive(subscriber: viewer)
    #expect(viewer.indices == Array(0..<200))
    #expect(viewer.completions == [.finished])
    #expect(!viewer.hasOverlap)
  }

  @Test func `demand adds up and saturates`() {
    let viewer = Recorder()
    viewer.whenSubscribed = {
      $0.request(.max(.max))
      $0.request(.max(.max))
      $0.request(.unlimited)
      $0.request(.max(1))
    }
    source.receive(subscriber: viewer)
    #expect(viewer.indices.count == 200)
  }

  @Test func `requests from several threads add up, and calls never overlap`() async throws {
    let viewer = Recorder()
    source.receive(subscriber: viewer)
    let subscription = try SharedSubscription(#require(viewer.subscription))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<20 { subscription.request(.max(1)) } }
      }
    }
    #expect(viewer.indices == Array(0..<160))
    #expect(!viewer.hasOverlap)
    subscription.cancel()
  }

  @Test(arguments: [1, 7, 4096, 1_000_000])
  func `the size of the pieces makes no difference`(pieceSize: Int) {
    let viewer = Recorder()
    viewer.whenSubscribed = { $0.request(.max(10)) }
    VideoSource(path: SampleFile.path, pieceSize: pieceSize).receive(subscriber: viewer)
    #expect(viewer.indices == Array(0..<10))
    viewer.subscription?.cancel()
  }

  @Test func `each subscriber reads the file on its own, and is counted`() {
    let first = Recorder()
    let second = Recorder()
    source.receive(subscriber: first)
    source.receive(subscriber: second)
    first.subscription?.request(.max(5))
    second.subscription?.request(.max(2))
    #expect(first.indices == [0, 1, 2, 3, 4])
    #expect(second.indices == [0, 1])
    #expect(source.reads.count == 2)
    first.subscription?.cancel()
    second.subscription?.cancel()
  }
}
