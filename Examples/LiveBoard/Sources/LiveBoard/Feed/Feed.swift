import Fanout
import Foundation

/// The engine that puts the changes of a board in one order, and says that there are new ones.
///
/// The database is a view of that order: what an engine appends is in the database before ``append(_:isRanked:to:)``
/// returns, and before it tells of an arrival. So the rest of the service reads the database alone.
///
/// | | one process | Redis Streams | a table of PostgreSQL |
/// | --- | --- | --- | --- |
/// | append | one transaction | `XADD`, then apply up to it | `INSERT`, `NOTIFY`, then apply up to it |
/// | catch up | nothing to do | `XRANGE` behind the position | `SELECT` behind the position |
/// | watch | commits of this process | `XREAD BLOCK`, apply | `LISTEN`, `SELECT`, apply |
protocol Feed: Sendable {
  /// Makes a board; returns whether there was none with this id.
  func create(_ board: Board) async throws -> Bool

  /// Removes a board, and returns whether there was one.
  ///
  /// With a time nothing is removed, and false returned, if the board has items or was used since
  /// then, by any process.
  func remove(_ board: Board.ID, unusedSince time: Date?) async throws -> Bool

  /// Says that boards are watched, so that they are not removed as unused.
  func use(_ boards: [Board.ID]) async throws

  /// Throws an error if changes cannot be written now.
  func check() async throws

  /// Brings the list of boards in the database up to date.
  func refresh() async throws

  /// Appends a change to the log of a board, and applies it to the database; returns its position.
  ///
  /// A new item that is not ranked becomes the last of its column.
  func append(_ change: Change, isRanked: Bool, to board: Board.ID) async throws -> Position

  /// Returns the number of changes behind one position, up to another, or nil if that is not known.
  func count(after position: Position, upTo last: Position) -> Int?

  /// Brings the database up to where the log of a board ends now.
  func catchUp(_ board: Board.ID) async throws

  /// Watches a board until the returned object is released or cancelled.
  ///
  /// The closure is called when the database may have more of the board's log; from any thread.
  func watch(
    _ board: Board.ID, arrived: @escaping @Sendable () -> Void
  ) async throws -> AnyCancellable
}

extension Feed {
  /// Does nothing.
  func use(_ boards: [Board.ID]) {}

  /// Does nothing.
  func check() {}

  /// Returns nil.
  func count(after position: Position, upTo last: Position) -> Int? { nil }
}
