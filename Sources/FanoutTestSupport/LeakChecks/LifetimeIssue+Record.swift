public import FanoutLifetime

#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

extension LifetimeIssue {
  /// Makes the running test fail, in Swift Testing or in XCTest, at the place of the issue.
  ///
  /// - Concurrency: may be called from any thread. Where no test is known, as in a detached task,
  ///   the issue belongs to the whole run in Swift Testing; in XCTest, to the test that is running.
  public func record() {
    #if canImport(Testing)
      // A location that Swift Testing would not accept is one that was made up.
      let location = SourceLocation(
        fileID: place.fileID.contains("/") ? place.fileID : "unknown/\(place.fileID)",
        filePath: place.filePath, line: max(1, place.line), column: max(1, place.column))
      Issue.record(Comment(rawValue: message), sourceLocation: location)
      if Test.current != nil { return }
    #endif
    #if canImport(XCTest)
      // Nothing happens if no test case is running.
      XCTFail(message, file: place.staticFilePath ?? "unknown", line: UInt(place.line))
    #endif
  }
}
