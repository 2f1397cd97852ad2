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

  /// Applies those entries that the database does not have yet, each behind the one in front of it, in one transaction.
  ///
  /// - Returns: Also the entries that were skipped because they cannot be read.
  func apply(
    _ entries: [RedisEntry], to board: Board.ID
  ) async throws -> (Applied, skipped: [RedisEntry]) {
    let (applied, skipped, position) = try await database.write {
      db -> (Applied, [RedisEntry], Position) in
      guard let row = try BoardRow.find(board, in: db) else { throw BoardError.noBoard(board) }
      var last = row.last
      var applied = Applied.all
      var skipped: [RedisEntry] = []
      for entry in entries where entry.entry > last {
        guard entry.epoch ?? row.epoch == row.epoch else {
          applied = .otherEpoch
          break
        }
        guard entry.previous == last else {
          applied = .hole
          break
        }
        if let change = entry.change {
          try Store.apply(change, at: entry.entry, on: row, in: db)
        } else {
          try Store.skip(entry, on: row, in: db)
          skipped.append(entry)
        }
        last = entry.entry
      }
      if last != row.last { try self.trim(row, after: entries.count, in: db) }
      return (applied, skipped, Position(epoch: row.epoch, entry: last))
    }
    note(position, of: board)
    return (applied, skipped)
  }

  /// Moves a log behind an entry that cannot be read.
  ///
  /// If that is one of the board, the log begins anew behind it, so that event streams are told that one is missing.
  private static func skip(_ entry: RedisEntry, on row: BoardRow, in db: Database) throws {
    let last = entry.entry
    try db.execute(
      sql: "UPDATE boards SET major = ?, minor = ? WHERE key = ?",
      arguments: [last.major, last.minor, row.key])
    guard entry.isOfBoard else { return }
    try db.execute(sql: "DELETE FROM changes WHERE board = ?", arguments: [row.key])
    try db.execute(sql: "DELETE FROM items WHERE board = ? AND removed", arguments: [row.key])
    try db.execute(
      sql: "UPDATE boards SET floorMajor = ?, floorMinor = ? WHERE key = ?",
      arguments: [last.major, last.minor, row.key])
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
