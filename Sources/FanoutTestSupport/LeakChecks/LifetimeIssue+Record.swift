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
      Issue.record(
        Comment(rawValue: message),
        sourceLocation: SourceLocation(
          fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column))
      if Test.current != nil { return }
    #endif
    #if canImport(XCTest)
      // Nothing happens if no test case is running.
      XCTFail(message, file: place.staticFilePath ?? #filePath, line: UInt(place.line))
    #endif
  }
}
