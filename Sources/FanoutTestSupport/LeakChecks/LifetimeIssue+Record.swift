public import FanoutLifetime

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

extension LifetimeIssue {
  /// Records the issue as a failure of the running test, in Swift Testing or in XCTest, at the
  /// issue's place.
  ///
  /// - Concurrency: may be called from any thread. Where no test is known, as in a detached task,
  ///   Swift Testing attributes the issue to the whole run, and XCTest to the test that is running.
  public func record() {
    #if canImport(Testing)
      // Swift Testing rejects only a location that was made up.
      let location = SourceLocation(
        fileID: place.fileID.contains("/") ? place.fileID : "unknown/\(place.fileID)",
        filePath: place.filePath, line: max(1, place.line), column: max(1, place.column))
      Issue.record(Comment(rawValue: message), sourceLocation: location)
      if Test.current != nil { return }
    #endif
    #if canImport(XCTest)
      // Does nothing if no test case is running.
      XCTFail(message, file: place.staticFilePath ?? "unknown", line: UInt(place.line))
    #endif
  }
}
