import Foundation
import GRDB

/// Boards that go.
extension Store {
  /// Removes a board with its items and its log.
  ///
  /// Event streams find out when they read its log again, for which the commit wakes them.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - time: A time since which it must not have been used, without items, or nil to remove any.
  ///   - epoch: The epoch that it must have, or nil for any.
  /// - Returns: Whether it was removed.
  /// - Throws: An error of the database.
  func remove(
    _ board: Board.ID, unusedSince time: Date? = nil, of epoch: Epoch? = nil
  ) async throws -> Bool {
    let isRemoved = try await database.write { db in
      guard let row = try BoardRow.find(board, in: db), epoch == nil || row.epoch == epoch else {
        return false
      }
      if let time {
        let usedAt = try Double.fetchOne(
          db, sql: "SELECT usedAt FROM boards WHERE key = ?", arguments: [row.key])
        guard usedAt ?? 0 < time.timeIntervalSince1970, try !Self.hasItems(row, in: db) else {
          return false
        }
      }
      for table in ["changes", "items"] {
        try db.execute(sql: "DELETE FROM \(table) WHERE board = ?", arguments: [row.key])
      }
      try db.execute(sql: "DELETE FROM boards WHERE key = ?", arguments: [row.key])
      return true
    }
    if isRemoved { forget(board) }
    return isRemoved
  }

  static func hasItems(_ row: BoardRow, in db: Database) throws -> Bool {
    try Bool.fetchOne(
      db, sql: "SELECT EXISTS (SELECT 1 FROM items WHERE board = ? AND NOT removed)",
      arguments: [row.key]) ?? false
  }

  /// Notes that boards are used now.
  func use(_ boards: [Board.ID], at time: Date) async throws {
    try await database.write { db in
      for board in boards {
        try db.execute(
          sql: "UPDATE boards SET usedAt = ? WHERE id = ?",
          arguments: [time.timeIntervalSince1970, board])
      }
    }
  }

  /// Returns the boards without items that have not been used since a time.
  func unused(since time: Date) async throws -> [Board.ID] {
    try await database.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM boards WHERE usedAt < ? AND NOT EXISTS
            (SELECT 1 FROM items WHERE board = boards.key AND NOT removed)
          """, arguments: [time.timeIntervalSince1970])
    }
  }

  /// Begins a new epoch of each board, so that the ids that browsers have are unknown.
  ///
  /// A database that was put back from a backup gives the ids behind its end a second time.
  func beginEpochs() throws {
    try database.write { db in
      for id in try String.fetchAll(db, sql: "SELECT id FROM boards") {
        guard let row = try BoardRow.find(id, in: db) else { continue }
        try db.execute(
          sql: "UPDATE boards SET epoch = ? WHERE key = ?",
          arguments: [Epoch.now(after: row.epoch).text, row.key])
      }
    }
  }

  /// Writes something, so that an error shows whether the database takes changes.
  func checkWritable() async throws {
    try await database.write { db in
      try db.execute(sql: "PRAGMA user_version = \(Int32.random(in: 1 ... .max))")
    }
  }
}
