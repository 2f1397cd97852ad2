import GRDB

/// The database as a view of a log that lies elsewhere.
extension Store {
  /// The outcome of applying entries.
  enum Applied: Sendable {
    /// They are in the database, now or from before.
    case all
    /// An entry names another one in front of it than the database has last. Nothing behind the hole is applied.
    case hole
    /// They belong to another epoch than the database.
    case otherEpoch
  }

  /// Applies those entries that the database does not have yet, in one transaction.
  ///
  /// If `isWhole` is true, an entry is applied only behind the one that it names.
  func apply(
    _ entries: [RedisEntry], to board: Board.ID, isWhole: Bool = true
  ) async throws -> Applied {
    let (applied, position) = try await database.write { db -> (Applied, Position) in
      guard let row = try BoardRow.find(board, in: db) else { throw BoardError.noBoard(board) }
      var last = row.last
      var applied = Applied.all
      for entry in entries where entry.entry > last {
        guard entry.epoch == row.epoch || !isWhole else {
          applied = .otherEpoch
          break
        }
        guard entry.previous == last || !isWhole else {
          applied = .hole
          break
        }
        try Store.apply(entry.change, at: entry.entry, on: row, in: db)
        last = entry.entry
      }
      if last != row.last { try self.trim(row, after: entries.count, in: db) }
      return (applied, Position(epoch: row.epoch, entry: last))
    }
    note(position, of: board)
    return applied
  }

  /// Replaces a board's state and log: the log begins anew behind a position.
  ///
  /// It does nothing if the database has come to the position, or beyond it, meanwhile.
  func reset(_ board: Board.ID, to position: Position, items: [Item]) async throws {
    let isReset = try await database.write { db in
      guard let row = try BoardRow.find(board, in: db),
        row.epoch != position.epoch || row.last < position.entry
      else { return false }
      let entry = position.entry
      try db.execute(sql: "DELETE FROM items WHERE board = ?", arguments: [row.key])
      for item in items {
        try db.execute(
          sql: "INSERT INTO items VALUES (?, ?, ?, ?, ?, 0, ?, ?)",
          arguments: [
            row.key, item.id, item.text, item.column.rawValue, item.rank, entry.major, entry.minor,
          ])
      }
      try db.execute(sql: "DELETE FROM changes WHERE board = ?", arguments: [row.key])
      try db.execute(
        sql: """
          UPDATE boards SET epoch = ?, major = ?, minor = ?, floorMajor = ?, floorMinor = ?
          WHERE key = ?
          """,
        arguments: [
          position.epoch.text, entry.major, entry.minor, entry.major, entry.minor, row.key,
        ])
      return true
    }
    if isReset { begin(at: position, of: board) }
  }
}
