// `@unchecked Sendable` invariant: a closure is put in by the test and run by its trait, one after
// the other.

import TestThreads
import Testing

/// Holds what outlives a test on purpose until the checks have seen it, so that the process itself
/// ends without leaks.
struct Afterlife: TestTrait, TestScoping {
  private struct Ending: @unchecked Sendable { let run: () -> Void }

  @TaskLocal private static var endings: Notes<Ending>?

  /// Holds a value until the checks are done.
  static func keep(_ value: Any) { end { withExtendedLifetime(value) {} } }

  /// Runs a closure when the checks are done.
  static func end(_ body: @escaping () -> Void) {
    guard let endings else {
      Issue.record("there is no afterlife here")
      return
    }
    endings.append(Ending(run: body))
  }

  static func during(_ function: @Sendable () async throws -> Void) async throws {
    let endings = Notes<Ending>()
    defer { endings.all.forEach { $0.run() } }
    try await $endings.withValue(endings, operation: function)
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.during(function)
  }
}

extension Trait where Self == Afterlife {
  static var afterlife: Self { Self() }
}
