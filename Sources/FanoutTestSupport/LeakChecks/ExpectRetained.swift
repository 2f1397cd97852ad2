public import FanoutLifetime

/// Makes the test fail unless one thing alone keeps an object alive.
///
/// The closure builds a graph, tracks the object, and holds its owner and whatever else there is.
/// The check drops all that is held but the owner: the object must be alive. Then it drops the
/// owner: the object must be gone.
///
/// Works in Swift Testing and in XCTest; `RetentionCheck` in `FanoutLifetime` returns the issues
/// instead.
///
/// <!-- not run: a test, which needs a test target to run it -->
/// ```swift
/// @Test func `a cancellable keeps the player alive`() {
///   expectRetained("player", by: "cancellable") { scope in
///     let songs = scope.hold(PassthroughSubject<String, Never>(), "songs")
///     let player = scope.track(Player(), "player")
///     scope.hold(songs.sink { player.play($0) }, "cancellable")
///   }
/// }
/// ```
///
/// - Parameters:
///   - name: The name under which the object is tracked.
///   - owner: The name under which its owner is held.
///   - fileID: Where the check is.
///   - filePath: Where the check is.
///   - line: Where the check is.
///   - column: Where the check is.
///   - build: Builds the graph. What it returns is dropped.
public func expectRetained<Ignored>(
  _ name: String, by owner: String, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ build: (LifetimeScope) throws -> Ignored
) rethrows {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  for issue in try RetentionCheck(name, by: owner, at: place).run(build) { issue.record() }
}
