public import FanoutLifetime

/// Makes the test fail unless everything tracked lives up to an event, and not longer.
///
/// The closure builds a graph, tracks the objects that the check is about, and returns their owner.
/// The check holds the owner, lets the event happen to it, and looks who is alive. An object that
/// was gone before the event makes the test fail too: such a check would show nothing.
///
/// Works in Swift Testing and in XCTest; `ReleaseCheck` in `FanoutLifetime` returns the issues
/// instead.
///
/// <!-- not run: a test, which needs a test target to run it -->
/// ```swift
/// @Test func `a cancelled player is let go`() {
///   expectReleased(after: .cancel) { scope in
///     let songs = scope.hold(PassthroughSubject<String, Never>())
///     let player = scope.track(Player(), "player")
///     return songs.sink { player.play($0) }
///   }
/// }
/// ```
///
/// - Parameters:
///   - event: `.cancel` if the owner can be cancelled, `.completion` or `.failure` if it is a
///     subject, `.ownerReleased`, or `.calling` with a name and a closure of your own.
///   - fileID: Where the check is.
///   - filePath: Where the check is.
///   - line: Where the check is.
///   - column: Where the check is.
///   - build: Builds the graph and returns the owner.
public func expectReleased<Owner>(
  after event: ReleaseEvent<Owner>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ build: (LifetimeScope) throws -> Owner
) rethrows {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  for issue in try ReleaseCheck(after: event, at: place).run(build) { issue.record() }
}

/// The same for release that comes later than the event.
///
/// - Parameters:
///   - event: As above.
///   - limit: How long to wait for the release.
///   - isolation: The actor on which `build` runs: the caller's.
///   - fileID: Where the check is.
///   - filePath: Where the check is.
///   - line: Where the check is.
///   - column: Where the check is.
///   - build: Builds the graph and returns the owner.
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
