import Fanout
import Foundation
import GRDB

extension Store {
  /// Forgets the oldest entries of a log, if it is time for that.
  ///
  /// - Parameters:
  ///   - row: The board.
  ///   - count: The number of entries that have just come.
  ///   - db: The database.
  /// - Throws: An error of the database.
  func trim(_ row: BoardRow, after count: Int, in db: Database) throws {
    // Ids need not count, and nothing else does. So the log has a tenth more than it is to keep, on the average.
    guard Int.random(in: 0...kept / 10) < count else { return }
    try Self.trim(row, keeping: kept, in: db)
  }

  /// Checks that a change can be made, and gives an item without a rank the last one of its column.
  static func check(
    _ change: Change, isRanked: Bool, on row: BoardRow, in db: Database
  ) throws -> Change {
    switch change {
    case .add(var item):
      let count =
        try Int.fetchOne(
          db, sql: "SELECT COUNT(*) FROM items WHERE board = ? AND NOT removed",
          arguments: [row.key]) ?? 0
      guard count < Limits.itemsOfBoard else {
        throw BoardError(
          .badRequest, "The board has \(count) items, which is the limit. Remove some first.")
      }
      if !isRanked {
        let greatest = try Double.fetchOne(
          db,
          sql: "SELECT MAX(rank) FROM items WHERE board = ? AND \"column\" = ? AND NOT removed",
          arguments: [row.key, item.column.rawValue])
        item.rank = (greatest ?? 0) + 1
      }
      return .add(item)
    case .edit(let id, _), .remove(let id):
      let isThere = try Bool.fetchOne(
        db, sql: "SELECT NOT removed FROM items WHERE board = ? AND id = ?",
        arguments: [row.key, id])
      guard isThere == true else { throw BoardError.noItem(id) }
      return change
    }
  }

  /// Changes the state, and appends an entry to the log.
  ///
  /// What an item does not allow, such as an edit of a removed one, changes nothing, but has its entry.
  static func apply(_ change: Change, at entry: EntryID, on row: BoardRow, in db: Database) throws {
    let stored = try Row.fetchOne(
      db, sql: "SELECT * FROM items WHERE board = ? AND id = ?", arguments: [row.key, change.item])
    var item = stored.flatMap(Item.init(row:))
    var isRemoved = stored?["removed"] ?? true
    switch change {
    case .add(let new):
      item = new
      isRemoved = false
    case .edit(_, let edit):
      if var edited = item {
        edit.apply(to: &edited)
        item = edited
      }
    case .remove: isRemoved = true
    }
    // A removed item stays until the log forgets that, so that the log can tell it.
    let result = item ?? Item(id: change.item, text: "", column: .todo, rank: 0)
    try db.execute(
      sql: "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      arguments: [
        row.key, result.id, result.text, result.column.rawValue, result.rank, isRemoved,
        entry.major, entry.minor,
      ])
    try db.execute(
      sql: "INSERT INTO changes VALUES (?, ?, ?, ?)",
      arguments: [row.key, entry.major, entry.minor, change.item])
    try db.execute(
      sql: "UPDATE boards SET major = ?, minor = ?, usedAt = ? WHERE key = ?",
      arguments: [entry.major, entry.minor, Date().timeIntervalSince1970, row.key])
  }

  /// Forgets the entries of a log in front of the last ones, and the removed items that only they tell of.
  static func trim(_ row: BoardRow, keeping count: Int, in db: Database) throws {
    guard
      let floor = try Row.fetchOne(
        db,
        sql: """
          SELECT major, minor FROM changes WHERE board = ?
          ORDER BY major DESC, minor DESC LIMIT 1 OFFSET ?
          """, arguments: [row.key, count])
    else { return }
    let end: [any DatabaseValueConvertible] = [
      row.key, floor["major"] as Int64, floor["minor"] as Int64,
    ]
    try db.execute(
      sql: "DELETE FROM changes WHERE board = ? AND (major, minor) <= (?, ?)",
      arguments: StatementArguments(end))
    try db.execute(
      sql: "DELETE FROM items WHERE board = ? AND removed AND (major, minor) <= (?, ?)",
      arguments: StatementArguments(end))
    try db.execute(
      sql: "UPDATE boards SET floorMajor = ?, floorMinor = ? WHERE key = ?",
      arguments: [floor["major"] as Int64, floor["minor"] as Int64, row.key])
  }

  /// Returns the newest change of each item that has changed behind a position, oldest first.
  ///
  /// What has been replaced since is passed over, so coming back costs by the items that have changed.
  ///
  /// - Throws: ``HistoryGap`` if the log does not have everything behind it, because it is trimmed or another one.
  func updates(
    of board: Board.ID, after position: Position, limit: Int
  ) async throws -> [Update] {
    try await database.read { db in
      guard let row = try BoardRow.find(board, in: db), row.has(after: position) else {
        throw HistoryGap<Position>()
      }
      return try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM items WHERE board = ? AND (major, minor) > (?, ?)
          ORDER BY major, minor LIMIT ?
          """, arguments: [row.key, position.entry.major, position.entry.minor, limit]
      ).map { Update(row: $0, epoch: row.epoch) }
    }
  }
}

extension Update {
  init(row: Row, epoch: Epoch) {
    position = Position(
      epoch: epoch, entry: EntryID(major: row["major"], minor: row["minor"]))
    guard !(row["removed"] as Bool), let item = Item(row: row) else {
      outcome = .removed(row["id"])
      return
    }
    outcome = .item(item)
  }
}
