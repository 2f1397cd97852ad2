import FanoutLifetime
import FanoutTestSupport
import TestThreads
import Testing

/// The ways in which a test of Swift Testing looks for leaks.
enum LeakCheck: CaseIterable {
  case noLeaks, expectReleased

  /// Runs a row under this check.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - leaks: Whether to run the code that leaks, or its twin.
  ///   - company: Threads that continue to send and subscribe meanwhile.
  /// - Returns: The texts of the issues that the check has recorded.
  /// - Throws: Only errors of the test library.
  func messages(
    of row: LeakRow, leaks: Bool, beside company: Company? = nil
  ) async throws -> [String] {
    let test = try #require(Test.current)
    let apps = Notes<App>()
    let messages = Notes<String>()
    let limit: Duration = !leaks && (row.takesTime || company != nil) ? .seconds(1800) : .zero
    try await withKnownIssue(isIntermittent: true) {
      switch self {
      case .noLeaks:
        try await NoLeaksTrait.noLeaks(eventually: limit).provideScope(
          for: test, testCase: .current
        ) {
          let app = App { tracked($0, "model") }
          apps.append(app)
          company?.join(app)
          _ = await row.run(leaks: leaks, in: app)
        }
      case .expectReleased:
        await FanoutTestSupport.expectReleased(after: .ownerReleased, eventually: limit) { scope in
          let tracker = LifetimeTracker.current
          let app = App { tracker?.track($0, "model") }
          apps.append(app)
          company?.join(app)
          return await row.run(leaks: leaks, in: app)
        }
      }
    } matching: { issue in
      messages.append(issue.comments.map(\.rawValue).joined())
      return true
    }
    company?.leave()
    for app in apps.all { await app.end() }
    return messages.all
  }
}

/// A row under a check.
struct LeakCase: Sendable, CustomTestStringConvertible {
  let row: LeakRow
  let check: LeakCheck

  var testDescription: String { "\(row.name), \(check)" }

  /// Every row under every check; `expectReleased` looks at tracked objects only.
  static let leaking = LeakRow.all.flatMap { row in
    LeakCheck.allCases.filter { row.leaksModel || $0 == .noLeaks }
      .map { LeakCase(row: row, check: $0) }
  }

  static let clean = LeakRow.all.flatMap { row in
    LeakCheck.allCases.map { LeakCase(row: row, check: $0) }
  }
}
