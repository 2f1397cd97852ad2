#if canImport(XCTest)
  internal import FanoutLifetime
  public import XCTest

  /// A test case whose tests fail if what they track, or what they subscribe, outlives them.
  ///
  /// It is for XCTest what the trait `noLeaks` is for Swift Testing. It looks after `tearDown()`, so
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
    /// How long to wait at the end of a test, for release that comes later; no time unless
    /// overridden.
    open var releaseLimit: Duration { .zero }

    /// Whether only tracked objects are looked at; false unless overridden.
    open var allowsLiveSubscriptions: Bool { false }

    /// Runs the test with a tracker of its own, and records what is still alive after it.
    open override func invokeTest() {
      let tracker = LifetimeTracker()
      tracker.perform { super.invokeTest() }
      let path = String(reflecting: type(of: self)).split(separator: ".")
      let place = SourcePlace(
        fileID: path.joined(separator: "/"), filePath: name, line: 1, column: 1)
      let livePlace = allowsLiveSubscriptions ? nil : place
      if releaseLimit > .zero { waitForRelease(tracker) }
      for issue in tracker.issues(outliving: "the test", at: livePlace) { issue.record() }
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
