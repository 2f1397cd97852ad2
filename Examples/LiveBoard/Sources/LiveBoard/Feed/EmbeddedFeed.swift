import Fanout
import Foundation
import GRDB

/// The engine of a single process: the order is that of its transactions.
///
/// It sees what this process writes. A second process does not get the same file; see ``DatabaseLock``.
struct EmbeddedFeed: Feed {
  let store: Store

  func create(_ board: Board) async throws -> Bool {
    try await store.insert(board, epoch: .now)
  }

  func remove(_ board: Board.ID, unusedSince time: Date?) async throws -> Bool {
    try await store.remove(board, unusedSince: time)
  }

  func refresh() {}

  func catchUp(_ board: Board.ID) {}

  func count(after position: Position, upTo last: Position) -> Int? {
    // The ids of this engine count. One of a Redis stream, in whose database it may go on, is a time.
    guard position.epoch == last.epoch, position.entry < last.entry,
      last.entry.major < 1_000_000_000_000
    else { return nil }
    return Int(last.entry.major - position.entry.major)
  }

  func append(_ change: Change, isRanked: Bool, to board: Board.ID) async throws -> Position {
    let position = try await store.database.write { db in
      guard let row = try BoardRow.find(board, in: db) else { throw BoardError.noBoard(board) }
      let change = try Store.check(change, isRanked: isRanked, on: row, in: db)
      let entry = EntryID(major: row.last.major + 1, minor: 0)
      try Store.apply(change, at: entry, on: row, in: db)
      try store.trim(row, after: 1, in: db)
      return Position(epoch: row.epoch, entry: entry)
    }
    store.note(position, of: board)
    return position
  }

  func watch(
    _ board: Board.ID, arrived: @escaping @Sendable () -> Void
  ) async throws -> AnyCancellable {
    guard let row = try await store.find(board) else { throw BoardError.noBoard(board) }
    return try await store.observe(row, didCommit: arrived)
  }
}

extension Epoch {
  static var now: Epoch { now(after: nil) }

  /// Creates an epoch that is greater than another one, whatever the clock says.
  static func now(after other: Epoch?) -> Epoch {
    let now = UInt64(Date().timeIntervalSince1970 * 1_000)
    return Epoch(
      milliseconds: max(now, other.map { $0.milliseconds + 1 } ?? 0), salt: .random(in: 0 ... .max))
  }
}
