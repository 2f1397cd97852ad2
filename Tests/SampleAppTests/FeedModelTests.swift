import Fanout
import FanoutTestSupport
import SampleApp
import Testing

struct FeedModelTests {
  let server = PassthroughSubject<String, Never>()

  @Test(.noLeaks) func `a view that comes late sees what it missed`() {
    let model = tracked(FeedModel(server), "model")
    let early = model.show { _ in }
    server.send("hello")
    let drawn = CurrentValueSubject<[String], Never>([])
    let late = model.show { drawn.value += [$0] }
    #expect(drawn.value == ["hello"])
    early.cancel()
    late.cancel()
  }

  @Test(.noLeaks(eventually: .seconds(1800))) func `a view may close later`() async {
    let model = tracked(FeedModel(server), "model")
    let view = model.show { _ in }
    Task {
      await Task.yield()
      view.cancel()
    }
  }

  @Test func `the view's cancellable keeps the connection, not the model`() {
    expectReleased(after: .cancel) { scope in
      let view = scope.track(View(), "view")
      return FeedModel(server).show { view.draw($0) }
    }
    expectRetained("view", by: "showing") { scope in
      let model = scope.hold(FeedModel(scope.hold(server, "server")), "model")
      let view = scope.track(View(), "view")
      scope.hold(model.show { view.draw($0) }, "showing")
    }
  }

  @Test func `a hundred views leave nothing behind`() {
    let tracker = LifetimeTracker()
    let model = tracker.perform { FeedModel(server) }
    let openAndClose = { tracker.perform { model.show { _ in } }.cancel() }
    openAndClose()
    let before = tracker.liveObjects
    for _ in 0..<100 { openAndClose() }
    #expect(tracker.liveObjects == before)
  }
}

private final class View: Sendable {
  func draw(_ line: String) {}
}
