import Fanout
import Testing

@testable import relay

struct VideoSourceEndTests {
  private let folder: TestFolder
  private let path: String

  init() throws {
    folder = try TestFolder()
    path = try folder.file(Array(sampleBytes().prefix(20_000)))
  }

  @Test func `cancelled, it sends nothing more, closes the file and lets its subscriber go`() {
    var viewer: Recorder? = Recorder()
    weak let released = viewer
    viewer.map { VideoSource(path: path).receive(subscriber: $0) }
    let subscription = viewer?.subscription
    subscription?.request(.max(2))
    #expect(TestFolder.descriptorCount(of: path) == 1)
    subscription?.cancel()
    #expect(TestFolder.descriptorCount(of: path) == 0)
    subscription?.request(.unlimited)
    subscription?.cancel()
    #expect(viewer?.indices == [0, 1])
    #expect(viewer?.completions == [])
    viewer = nil
    #expect(released == nil)
  }

  @Test func `cancelled inside receive, it stops there`() {
    let viewer = Recorder()
    viewer.whenSubscribed = { $0.request(.unlimited) }
    viewer.whenReceived = { viewer, unit in
      if unit.index == 4 { viewer.subscription?.cancel() }
      return .max(1)
    }
    VideoSource(path: path).receive(subscriber: viewer)
    #expect(viewer.indices == [0, 1, 2, 3, 4])
    #expect(viewer.completions.isEmpty)
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }

  @Test func `cancelled inside receive(subscription:), it sends nothing`() {
    let viewer = Recorder()
    viewer.whenSubscribed = {
      $0.request(.unlimited)
      $0.cancel()
    }
    VideoSource(path: path).receive(subscriber: viewer)
    #expect(viewer.indices.isEmpty)
    #expect(viewer.completions.isEmpty)
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }

  @Test func `cancelled from another thread, it stops within the file`() async throws {
    let viewer = Recorder()
    viewer.whenReceived = { viewer, _ in
      viewer.subscription?.request(.max(1))
      return .none
    }
    VideoSource(path: path).receive(subscriber: viewer)
    let subscription = try SharedSubscription(#require(viewer.subscription))
    await withTaskGroup { group in
      group.addTask { subscription.request(.max(1)) }
      group.addTask { subscription.cancel() }
    }
    #expect(viewer.indices == Array(0..<viewer.indices.count))
    #expect(!viewer.hasOverlap)
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }

  @Test func `finished, it closes the file and lets its subscriber go`() {
    var viewer: Recorder? = Recorder()
    weak let released = viewer
    viewer?.whenSubscribed = { $0.request(.unlimited) }
    viewer.map { VideoSource(path: path).receive(subscriber: $0) }
    #expect(viewer?.completions == [.finished])
    #expect(TestFolder.descriptorCount(of: path) == 0)
    let subscription = viewer?.subscription
    viewer = nil
    #expect(released == nil)
    subscription?.cancel()
  }

  @Test func `a subscription dropped with its subscriber closes the file`() {
    do {
      let viewer = Recorder()
      VideoSource(path: path).receive(subscriber: viewer)
      viewer.subscription?.request(.max(1))
      #expect(TestFolder.descriptorCount(of: path) == 1)
      viewer.subscription?.cancel()
    }
    #expect(TestFolder.descriptorCount(of: path) == 0)
  }

  @Test func `a missing file fails at once, after the subscription`() {
    let viewer = Recorder()
    VideoSource(path: "/nowhere/at/all.h264").receive(subscriber: viewer)
    #expect(viewer.subscription != nil)
    #expect(viewer.completions == [.failure(.missing("/nowhere/at/all.h264"))])
  }

  @Test func `a file without a picture fails without being asked`() throws {
    let empty = try folder.file([], named: "empty.h264")
    let viewer = Recorder()
    VideoSource(path: empty).receive(subscriber: viewer)
    #expect(viewer.completions == [.failure(.empty(empty))])
    #expect(TestFolder.descriptorCount(of: empty) == 0)
  }
}
