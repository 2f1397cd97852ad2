#if canImport(XCTest)
  internal import FanoutLifetime
  public import XCTest

  extension XCTestCase {
    /// Makes the test fail if an object is alive after the test method has returned.
    ///
    /// XCTest keeps the instance of a test case until the end of the run, and this check runs
    /// before `tearDown()`. An object in a property of the test case is therefore still alive. Set
    /// the property to nil in the test, or in a teardown block that you add after this call: the
    /// last block added runs first. In a ``NoLeaksTestCase`` the object may live until after
    /// `tearDown()`; that class also knows Fanout's objects of the test and can name the one that
    /// holds the object.
    ///
    /// <!-- not run: a test case, which needs XCTest to run it -->
    /// ```swift
    /// func testAPlayerIsGone() {
    ///   let songs = PassthroughSubject<String, Never>()
    ///   let player = trackLifetime(of: Player(), "player")
    ///   player.play(songs)
    ///   player.stop()
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - object: The object. It is not retained.
    ///   - name: The object's name in messages; the name of its type if nil.
    ///   - limit: The time to wait at the end of the test for a later release. In a
    ///     ``NoLeaksTestCase`` the class's own limit applies.
    ///   - fileID: The file of the call.
    ///   - filePath: The path of the call's file.
    ///   - line: The line of the call.
    ///   - column: The column of the call.
    /// - Returns: The object.
    @discardableResult
    public func trackLifetime<Object: AnyObject>(
      of object: Object, _ name: String? = nil, eventually limit: Duration = .zero,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line,
      column: Int = #column
    ) -> Object {
      let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
      if self is NoLeaksTestCase, let tracker = LifetimeTracker.current {
        tracker.track(object, name, at: place)
        return object
      }
      let tracker = LifetimeTracker()
      tracker.track(object, name, at: place)
      addTeardownBlock {
        _ = await tracker.waitForRelease(within: limit)
        for issue in tracker.issues(outliving: "the test", at: nil) { issue.record() }
      }
      return object
    }
  }
#endif
