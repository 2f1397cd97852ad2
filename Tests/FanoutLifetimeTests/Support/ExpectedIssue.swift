import FanoutTestSupport
import TestThreads
import Testing

/// Expects a test to record issues with exactly these texts, so many lines below the test.
///
/// It stands in front of the trait that records them.
struct ExpectedIssue: TestTrait, TestScoping {
  let messages: [String]
  let lines: [Int]

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let first = test.sourceLocation.line
    let expected = zip(messages, lines).map { (message: $0, line: first + $1) }
    let seen = Notes<String>()
    try await withKnownIssue {
      try await Afterlife.during(function)
    } matching: { issue in
      let isExpected = matches(issue, expected, test.sourceLocation.fileID)
      if isExpected { seen.append(issue.comments.map(\.rawValue).joined()) }
      return isExpected
    }
    #expect(seen.all == messages, "each issue once, in order")
  }
}

extension Trait where Self == ExpectedIssue {
  static func expectedIssue(_ message: String, linesBelow lines: Int) -> Self {
    Self(messages: [message], lines: [lines])
  }

  static func expectedIssues(_ messages: [String], linesBelow lines: [Int]) -> Self {
    Self(messages: messages, lines: lines)
  }
}

/// Runs a check that must record issues with exactly these texts, at these lines.
func expectIssues(
  _ expected: [(message: String, line: Int)], fileID: String = #fileID, _ check: () throws -> Void
) rethrows {
  try withKnownIssue {
    try check()
  } matching: {
    matches($0, expected, fileID)
  }
}

/// The same for a check that waits.
func expectIssues(
  _ expected: [(message: String, line: Int)], fileID: String = #fileID,
  _ check: () async throws -> Void
) async rethrows {
  try await withKnownIssue {
    try await check()
  } matching: {
    matches($0, expected, fileID)
  }
}

private func matches(
  _ issue: Issue, _ expected: [(message: String, line: Int)], _ fileID: String
) -> Bool {
  expected.contains { message, line in
    issue.comments.map(\.rawValue) == [message] && issue.sourceLocation?.line == line
      && issue.sourceLocation?.fileID == fileID
  }
}

/// The text after an object's name if Fanout does not know its holder.
let unexplained =
  "nothing that Fanout knows of holds it; look for a cycle of your own, a stored closure, a task or "
  + "a global"
