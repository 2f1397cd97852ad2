import FanoutTestSupport
import Testing

/// Expects the leak checks of a test to report exactly this, so many lines below the test.
///
/// It stands in front of `.noLeaks`, so that it sees what that records.
struct KnownLeak: TestTrait, TestScoping {
  let message: String
  let lines: Int

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let line = test.sourceLocation.line + lines
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      issue.comments.map(\.rawValue) == [message]
        && issue.sourceLocation?.fileID == test.sourceLocation.fileID
        && issue.sourceLocation?.line == line
    }
  }
}

extension Trait where Self == KnownLeak {
  static func knownLeak(_ message: String, linesBelow lines: Int) -> Self {
    Self(message: message, lines: lines)
  }
}
