import Foundation
import GRDB
import Synchronization

/// The database: boards, the state of their items, and the log of their changes.
///
/// A change and its entry in the log are written in one transaction, and the log is in the order of the transactions.
/// So a read sees both or neither, and no smaller position becomes visible behind a greater one.
final class Store: Sendable {
  let database: DatabasePool
  /// The number of entries that a log keeps at least.
  let kept: Int
  /// The last position of each board that this process has seen: at most as great as that in the database.
  private let heads = Mutex<[Board.ID: Position]>([:])
  private let lock: DatabaseLock

  /// Opens a database, or makes one.
  ///
  /// If it is a replica, its log lies elsewhere, so a power cut may take the last commits. Otherwise their ids would be
  /// used twice.
  ///
  /// - Throws: ``StartError`` if the file cannot be used.
  init(path: String, isReplica: Bool = false, keeping kept: Int = 10_000) throws(StartError) {
    self.kept = kept
    lock = try DatabaseLock(path: path, isShared: isReplica)
    do {
      database = try Self.open(path, isReplica)
    } catch {
      throw StartError(database: path, error)
    }
  }

  private static func open(_ path: String, _ isReplica: Bool) throws -> DatabasePool {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = \(isReplica ? "NORMAL" : "FULL")")
    }
    let database = try DatabasePool(path: path, configuration: configuration)
    try Self.migrator.migrate(database)
    let fault = try database.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
    if let fault, fault != "ok" {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: fault)
    }
    return database
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("boards") { db in
      try db.execute(
        sql: """
          CREATE TABLE boards (
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL,
            epoch TEXT NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL,
            floorMajor INTEGER NOT NULL, floorMinor INTEGER NOT NULL);
          CREATE TABLE items (
            board INTEGER NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL, "column" TEXT NOT NULL,
            rank REAL NOT NULL, removed INTEGER NOT NULL,
            major INTEGER NOT NULL, minor INTEGER NOT NULL,
            PRIMARY KEY (board, id)) WITHOUT ROWID;
          CREATE TABLE changes (
            board INTEGER NOT NULL, major INTEGER NOT NULL, minor INTEGER NOT NULL,
            item TEXT NOT NULL, PRIMARY KEY (board, major, minor)) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("use") { db in
      // The order in which a browser that comes back gets its items; and the time at which a board was last written to
      // or watched, in seconds since 1970.
      try db.execute(
        sql: """
          CREATE INDEX itemsByChange ON items (board, major, minor);
          ALTER TABLE boards ADD COLUMN usedAt REAL NOT NULL DEFAULT 0;
          UPDATE boards SET usedAt = strftime('%s', 'now');
          """)
    }
    return migrator
  }

  /// The last position of a board that this process has seen, or nil if it has not looked.
  func head(of board: Board.ID) -> Position? { heads.withLock { $0[board] } }

  /// Notes a position that is committed.
  func note(_ position: Position, of board: Board.ID) {
    heads.withLock { heads in
      if let known = heads[board], known > position { return }
      heads[board] = position
    }
  }

  /// Notes that a board is gone.
  func forget(_ board: Board.ID) { heads.withLock { $0[board] = nil } }

  /// Notes the position at which a log begins anew, which may be any.
  func begin(at position: Position, of board: Board.ID) {
    heads.withLock { $0[board] = position }
  }

  func boards() async throws -> [Board] {
    try await database.read { db in
      try Row.fetchAll(db, sql: "SELECT id, title FROM boards ORDER BY key").map {
        Board(id: $0["id"], title: $0["title"])
      }
    }
  }

  /// Adds a board with an empty log; returns whether there was none with this id.
  func insert(_ board: Board, epoch: Epoch) async throws -> Bool {
    try await database.write { db in
      guard try BoardRow.find(board.id, in: db) == nil else { return false }
      try Self.checkRoom(in: db)
      try db.execute(
        sql: "INSERT INTO boards VALUES (NULL, ?, ?, ?, 0, 0, 0, 0, ?)",
        arguments: [board.id, board.title, epoch.text, Date().timeIntervalSince1970])
      return true
    }
  }

  /// Checks that there is room for a further board.
  static func checkRoom(in db: Database) throws {
    let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM boards") ?? 0
    guard count < Limits.boards else { throw BoardError.tooManyBoards(count) }
  }

  /// Returns a board and its last position, or nil if there is none.
  func find(_ id: Board.ID) async throws -> BoardRow? {
    let row = try await database.read { db in try BoardRow.find(id, in: db) }
    if let row { note(row.position, of: id) }
    return row
  }

  /// Returns the state of a board, as one transaction sees it.
  func snapshot(of id: Board.ID) async throws -> Snapshot? {
    let snapshot = try await database.read { db in
      try BoardRow.find(id, in: db).map { try Self.snapshot(of: $0, in: db) }
    }
    if let snapshot { note(snapshot.position, of: id) }
    return snapshot
  }

  static func snapshot(of row: BoardRow, in db: Database) throws -> Snapshot {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM items WHERE board = ? AND NOT removed ORDER BY rank, id",
      arguments: [row.key])
    return Snapshot(
      board: row.board, position: row.position,
      items: try Array(rows.compactMap { Item(row: $0) }))
  }
}

/// A board as the database has it.
struct BoardRow: Sendable {
  let key: Int64
  let board: Board
  let epoch: Epoch
  /// The last entry of the log.
  let last: EntryID
  /// The last entry that the log has forgotten.
  let floor: EntryID

  var position: Position { Position(epoch: epoch, entry: last) }

  /// Whether the log has everything behind a position.
  func has(after position: Position) -> Bool {
    position.epoch == epoch && floor <= position.entry && position.entry <= last
  }

  static func find(_ id: Board.ID, in db: Database) throws -> BoardRow? {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM boards WHERE id = ?", arguments: [id])
    else { return nil }
    guard let epoch = Epoch(row["epoch"] as String) else {
      throw DatabaseError(message: "The epoch of board \(id) is damaged; restore the database.")
    }
    return BoardRow(
      key: row["key"], board: Board(id: row["id"], title: row["title"]), epoch: epoch,
      last: EntryID(major: row["major"], minor: row["minor"]),
      floor: EntryID(major: row["floorMajor"], minor: row["floorMinor"]))
  }
}

extension Item {
  init?(row: Row) {
    guard let column = Column(rawValue: row["column"] as String) else { return nil }
    self.init(id: row["id"], text: row["text"], column: column, rank: row["rank"])
  }
}
