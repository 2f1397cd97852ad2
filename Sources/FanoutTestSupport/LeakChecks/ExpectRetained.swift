public import FanoutLifetime

/// Makes the test fail unless one owner alone keeps an object alive.
///
/// The closure builds a graph, tracks the object, and holds its owner and everything else the graph
/// needs. The check first drops everything it holds but the owner: the object must be alive. Then
/// it drops the owner: the object must be gone.
///
/// The function works in Swift Testing and in XCTest. `RetentionCheck` in `FanoutLifetime` returns
/// the issues instead.
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
///   - fileID: The file of the check.
///   - filePath: The path of the check's file.
///   - line: The line of the check.
///   - column: The column of the check.
///   - build: The closure that builds the graph. Its result is dropped.
public func expectRetained<Ignored>(
  _ name: String, by owner: String, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
  _ build: (LifetimeScope) throws -> Ignored
) rethrows {
  let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
  for issue in try RetentionCheck(name, by: owner, at: place).run(build) { issue.record() }
}
