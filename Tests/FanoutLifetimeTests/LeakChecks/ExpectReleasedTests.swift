import Fanout
import FanoutTestSupport
import TestThreads
import Testing

struct ExpectReleasedTests {
  struct Failed: Error {}

  @Test func `passes where the event lets go`() {
    expectReleased(after: .cancel) { scope in
      let subject = scope.hold(PassthroughSubject<Int, Never>())
      let probe = scope.track(Probe(), "probe")
      return subject.sink { probe.take($0) }
    }
    expectReleased(after: .completion) { scope in
      let subject = PassthroughSubject<Int, Never>()
      let probe = scope.track(Probe(), "probe")
      scope.hold(subject.sink { probe.take($0) })
      return subject
    }
    expectReleased(after: .failure(Failed())) { scope in
      let subject = CurrentValueSubject<Int, Failed>(0)
      let probe = scope.track(Probe(), "probe")
      scope.hold(subject.sink(receiveCompletion: { _ in }, receiveValue: { probe.take($0) }))
      return subject
    }
    expectReleased(after: .ownerReleased) { scope in
      let probe = scope.track(Probe(), "probe")
      return [PassthroughSubject<Int, Never>().sink { probe.take($0) }]
    }
    expectReleased(after: .calling("the opening") { $0.open() }) { scope in
      Holder(scope.track(Cycle(), "cycle"))
    }
  }

  /// An object with a method of its own that releases what it holds.
  final class Holder {
    private var cycle: Cycle?
    init(_ cycle: Cycle) { self.cycle = cycle }
    func open() {
      cycle?.open()
      cycle = nil
    }
  }

  @Test func `fails where something else holds the object`() {
    expectIssues([("`probe` outlived the cancel: \(unexplained)", #line + 3)]) {
      expectReleased(after: .cancel) { scope in
        let subject = scope.hold(PassthroughSubject<Int, Never>())
        let probe = scope.hold(scope.track(Probe(), "probe"))
        return subject.sink { probe.take($0) }
      }
    }
    let cycle = Cycle()
    defer { cycle.open() }
    let ring = "`cycle` outlived the release of its owner: retained by Cycle.other ← itself"
    expectIssues([(ring, #line + 1)]) {
      expectReleased(after: .ownerReleased) { $0.track(cycle, "cycle") }
    }
  }

  @Test func `fails where the event is not the one that lets go`() {
    let held =
      "`probe` outlived the logout: retained by Sink.receiveValue ← AnyCancellable "
      + "(until cancel or completion)"
    expectIssues([(held, #line + 3)]) {
      expectReleased(after: .calling("the logout") { _ in }) { scope in
        let subject = scope.hold(PassthroughSubject<Int, Never>())
        let probe = scope.track(Probe(), "probe")
        return subject.sink { probe.take($0) }
      }
    }
  }

  @Test func `fails where it shows nothing`() {
    let early =
      "`probe` was gone before the cancel: what the closure returns does not keep it alive, so this "
      + "shows nothing"
    expectIssues([(early, #line + 2)]) {
      expectReleased(after: .cancel) { scope in
        scope.track(Probe(), "probe")
        return PassthroughSubject<Int, Never>().sink { _ in }
      }
    }
    let nothing =
      "nothing is tracked, so this shows nothing: call scope.track(object, \"name\")"
    expectIssues([(nothing, #line + 1)]) {
      expectReleased(after: .cancel) { _ in AnyCancellable {} }
    }
  }

  @Test func `what the closure throws comes through`() async {
    #expect(throws: Failed.self) {
      try expectReleased(after: .cancel) { _ -> AnyCancellable in throw Failed() }
    }
    await #expect(throws: Failed.self) {
      try await expectReleased(after: .cancel, eventually: .zero) { _ -> AnyCancellable in
        await Task.yield()
        throw Failed()
      }
    }
  }

  @Test func `waits for release that comes later`() async {
    await expectReleased(after: .cancel, eventually: .seconds(1800)) { scope in
      let held = Shared<Probe?>(scope.track(Probe(), "probe"))
      await Task.yield()
      return AnyCancellable {
        Task.detached {
          for _ in 0..<20 { await Task.yield() }
          held.value = nil
        }
      }
    }
  }

  @Test func `waits no longer than it was told`() async throws {
    let check = ReleaseCheck<AnyCancellable>(after: .cancel, at: SourcePlace())
    let issues = await check.run(eventually: .milliseconds(20)) { scope in
      let probe = scope.hold(scope.track(Probe(), "probe"))
      return AnyCancellable { withExtendedLifetime(probe) {} }
    }
    #expect(issues.map(\.message) == ["`probe` outlived the cancel: \(unexplained)"])
  }
}
