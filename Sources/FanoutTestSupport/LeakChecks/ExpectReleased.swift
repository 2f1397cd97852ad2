public import FanoutLifetime

/// Makes the test fail unless every tracked object lives until an event and no longer.
///
/// The closure builds a graph, tracks the objects under test and returns their owner. The check
/// holds the owner, triggers the event and finds the objects that are still alive. An object that
/// is released before the event also makes the test fail, because such a check would show nothing.
///
/// The function works in Swift Testing and in XCTest. `ReleaseCheck` in `FanoutLifetime` returns
/// the issues instead.
///
/// <!-- not run: a test, which needs a test target to run it -->
/// ```swift
/// @Test func `a cancelled player is released`() {
///   expectReleased(after: .cancel) { scope in
///     let songs = scope.hold(PassthroughSubject<String, Never>())
///     let player = scope.track(Player(), "player")
///     return songs.sink { player.play($0) }
///   }
/// }
/// ```
///
/// - Parameters:
///   - event: The event to trigger: `.cancel` if the owner can be cancelled, `.completion` or
///     `.failure` if it is a subject, `.ownerReleased`, or `.calling` with a name and a closure of
///     your own.
///   - fileID: The file of the check.
///   - filePath: The path of the check's file.
///   - line: The line of the check.
///   - column: The column of the check.
///   - build: The closure that builds the graph and returns the owner.
public func expectReleased<Owner>(
  after event: ReleaseEvent<Owner>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ build: (LifetimeScope) throws -> Owner
) rethrows {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  for issue in try ReleaseCheck(after: event, at: place).run(build) { issue.record() }
}

/// Makes the test fail unless every tracked object lives until an event and is released within a
/// time limit.
///
/// - Parameters:
///   - event: The event to trigger.
///   - limit: The time to wait for the release.
///   - isolation: The actor on which `build` runs, by default the caller's.
///   - fileID: The file of the check.
///   - filePath: The path of the check's file.
///   - line: The line of the check.
///   - column: The column of the check.
///   - build: The closure that builds the graph and returns the owner.
public func expectReleased<Owner>(
  after event: ReleaseEvent<Owner>, eventually limit: Duration,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ build: (LifetimeScope) async throws -> Owner
) async rethrows {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  let check = ReleaseCheck(after: event, at: place)
  for issue in try await check.run(eventually: limit, build) { issue.record() }
}
