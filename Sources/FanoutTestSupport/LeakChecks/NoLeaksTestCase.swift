#if canImport(XCTest)
  internal import FanoutLifetime
  public import XCTest

  /// A test case whose tests fail if an object they track, or a subscription they make, outlives
  /// them.
  ///
  /// The class is XCTest's counterpart of the trait `noLeaks`. It checks after `tearDown()`, so
  /// properties of the test case may hold objects until then.
  ///
  /// <!-- not run: a test case, which needs XCTest to run it -->
  /// ```swift
  /// final class PlayerTests: NoLeaksTestCase {
  ///   func testAPlayerIsGone() {
  ///     let songs = PassthroughSubject<String, Never>()
  ///     let player = trackLifetime(of: Player(), "player")
  ///     player.play(songs)
  ///     player.stop()
  ///   }
  /// }
  /// ```
  open class NoLeaksTestCase: XCTestCase {
    /// The time to wait at the end of a test for a later release; zero unless overridden.
    open var releaseLimit: Duration { .zero }

    /// Whether only tracked objects are checked; false unless overridden.
    open var allowsLiveSubscriptions: Bool { false }

    /// Runs the test with a tracker of its own and records the objects still alive after it.
    open override func invokeTest() {
      let tracker = LifetimeTracker()
      tracker.perform { super.invokeTest() }
      let path = String(reflecting: type(of: self)).split(separator: ".").joined(separator: "/")
      // XCTest does not reveal a test's location, so its name stands in.
      let place = SourcePlace(fileID: path, filePath: name, line: 1, column: 1)
      let livePlace = allowsLiveSubscriptions ? nil : place
      if releaseLimit > .zero { waitForRelease(tracker) }
      for issue in tracker.issues(outliving: "the test", at: livePlace) {
        if issue.place == place { recordHere(issue.message) } else { issue.record() }
      }
    }

    private func recordHere(_ message: String) {
      #if canImport(Darwin)
        record(XCTIssue(type: .assertionFailure, compactDescription: "failed - \(message)"))
      #else
        recordFailure(
          withDescription: "failed - \(message)", inFile: name, atLine: 0, expected: true)
      #endif
    }

    private func waitForRelease(_ tracker: LifetimeTracker) {
      let limit = releaseLimit
      let allowsLive = allowsLiveSubscriptions
      let looked = expectation(description: "everything is released, or the time is over")
      Task {
        await LifetimeTracker.poll(within: limit) {
          tracker.isClear(allowingSubscriptions: allowsLive)
        }
        looked.fulfill()
      }
      wait(for: [looked], timeout: limit / .seconds(1) + 60)
    }
  }
#endif
