import Fanout
import FanoutTestSupport
import TestThreads
import XCTest

final class TrackLifetimeXCTests: XCTestCase {
  private var held: Probe?

  func testPassesWhenAllIsGone() {
    let probe = trackLifetime(of: Probe(), "probe")
    PassthroughSubject<Int, Never>().sink { probe.take($0) }.cancel()
  }

  func testPassesWhenAllIsGoneAtTheEndOfAnAsyncTest() async {
    let probe = trackLifetime(of: Probe(), "probe")
    await Task.yield()
    probe.take(1)
  }

  func testATeardownBlockThatIsAddedLaterMayLetGo() {
    held = trackLifetime(of: Probe(), "held")
    addTeardownBlock { self.held = nil }
  }

  func testWaitsForReleaseThatComesLater() {
    let later = Shared<Probe?>(trackLifetime(of: Probe(), "later", eventually: .seconds(1800)))
    Task.detached {
      for _ in 0..<20 { await Task.yield() }
      later.value = nil
    }
  }

  func testExpectationsWorkHere() async {
    expectReleased(after: .cancel) { scope in
      let probe = scope.track(Probe(), "probe")
      return PassthroughSubject<Int, Never>().sink { probe.take($0) }
    }
    await expectReleased(after: .cancel, eventually: .seconds(1800)) { scope in
      let probe = scope.track(Probe(), "probe")
      return PassthroughSubject<Int, Never>().sink { probe.take($0) }
    }
    expectRetained("probe", by: "owner") { $0.hold($0.track(Probe(), "probe"), "owner") }
  }
}

#if !canImport(Darwin)
  /// Failures are noted here and compared, instead of failing the run.
  final class TrackLifetimeFailureXCTests: XCTestCase {
    private var failures: [String] = []
    private var expected: [String] = []
    private var held: [Any] = []

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      failures.append("\(lineNumber): \(description)")
    }

    override func invokeTest() {
      super.invokeTest()
      guard failures != expected else { return }
      super.recordFailure(
        withDescription: "recorded: \(failures), expected: \(expected)", inFile: #filePath,
        atLine: #line, expected: true)
    }

    private func expect(_ message: String, at line: Int) {
      expected.append("\(line): failed - \(message)")
    }

    func testNamesWhoIsAlive() {
      held.append(trackLifetime(of: Probe(), "probe"))
      expect("`probe` outlived the test: \(unexplained)", at: #line - 1)
    }

    func testNamesWhoIsAliveAtTheEndOfAnAsyncTest() async {
      let probe = trackLifetime(of: Probe(), eventually: .milliseconds(5))
      expect("`Probe` outlived the test: \(unexplained)", at: #line - 1)
      await Task.yield()
      held.append(probe)
    }

    func testExpectationsFailHere() {
      expect("`probe` outlived the cancel: \(unexplained)", at: #line + 2)
      expectReleased(after: .cancel) { scope in
        let probe = scope.hold(scope.track(Probe(), "probe"))
        return AnyCancellable { probe.take(0) }
      }
    }

    func testTrackedSaysWhatToDo() {
      expect("`probe`" + TrackedTests.advice, at: #line + 1)
      tracked(Probe(), "probe")
    }
  }

  /// The same for a class whose tests are all looked at.
  final class NoLeaksTestCaseXCTests: NoLeaksTestCase {
    private var failures: [String] = []
    private var expected: [String] = []
    private var held: [Any] = []
    private var after: [() -> Void] = []
    private var property: Probe?
    private var places: [String] = []

    override var releaseLimit: Duration { name.contains("Later") ? .seconds(1800) : .zero }
    override var allowsLiveSubscriptions: Bool { name.contains("Allowed") }

    override func recordFailure(
      withDescription description: String, inFile filePath: String, atLine lineNumber: Int,
      expected: Bool
    ) {
      failures.append(description)
      places.append(filePath)
    }

    override func invokeTest() {
      super.invokeTest()
      after.forEach { $0() }
      guard failures != expected.map({ "failed - " + $0 }) else { return }
      super.recordFailure(
        withDescription: "recorded: \(failures), expected: \(expected)", inFile: #filePath,
        atLine: #line, expected: true)
    }

    override func tearDown() { property = nil }

    func testWhatTearDownReleasesIsReleased() {
      property = tracked(Probe(), "property")
    }

    func testAnAsyncTestHasTheTracker() async {
      await Task.yield()
      property = trackLifetime(of: Probe(), "property")
      held.append(tracked(Probe(), "held"))
      expected.append("`held` outlived the test: \(unexplained)")
    }

    func testNamesWhoIsAlive() {
      held.append(trackLifetime(of: Probe(), "held"))
      expected.append("`held` outlived the test: \(unexplained)")
    }

    func testFindsASubscriptionThatNobodyCancels() {
      subscribe()
      expected.append(
        "a subscription outlived the test, neither cancelled nor completed; alive: "
          + "PassthroughSubject: 1, Sink: 1, Subscription: 1; it is retained by "
          + "PassthroughSubject.subscription ← itself (until cancel or completion)")
    }

    func testASubscriptionMayBeAllowed() { subscribe() }

    func testWaitsForReleaseThatComesLater() {
      let later = Shared<Probe?>(tracked(Probe(), "later"))
      Task.detached {
        for _ in 0..<20 { await Task.yield() }
        later.value = nil
      }
    }

    func testTheNameOfTheTestIsThePlaceOfALiveSubscription() {
      subscribe()
      expected.append(
        "a subscription outlived the test, neither cancelled nor completed; alive: "
          + "PassthroughSubject: 1, Sink: 1, Subscription: 1; it is retained by "
          + "PassthroughSubject.subscription ← itself (until cancel or completion)")
      after.append { [name] in
        XCTAssertEqual(self.places, [name])
      }
    }

    private func subscribe() {
      let subject = PassthroughSubject<Int, Never>()
      subject.subscribe(Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
      after.append { subject.send(completion: .finished) }
    }
  }
#endif
