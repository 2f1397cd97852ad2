import Fanout
import Foundation
import GRDB
import Logging
import NIOCore
import Synchronization

/// The engine of several processes: Redis Streams put the changes of each board in one order.
///
/// The database is a view of the streams. An entry is applied once, behind the one that it names; see ``RedisEntry``.
final class RedisFeed: Feed {
  let store: Store
  let client: RedisClient
  let logger: Logger
  /// The number of changes that this process has appended to each board.
  static let snapshotEvery = 50
  private let appended = Mutex<[Board.ID: Int]>([:])
  /// The time for which a process that has a hole waits for the snapshot of another one.
  let patience: Duration
  private let didSkip: @Sendable () -> Void

  init(
    store: Store, address: RedisAddress, on group: any EventLoopGroup, logger: Logger,
    patience: Duration = .seconds(3), didSkip: @escaping @Sendable () -> Void
  ) {
    self.store = store
    client = RedisClient(address, on: group)
    self.logger = logger
    self.patience = patience
    self.didSkip = didSkip
  }

  func log(of board: Board.ID) -> RedisLog { RedisLog(client: client, board: board) }

  func create(_ board: Board) async throws -> Bool {
    do {
      // A board of this database that Redis has lost is not made anew: it goes back there.
      try await catchUp(board.id)
      guard try await store.find(board.id) == nil else { return false }
      try await store.database.read { db in try Store.checkRoom(in: db) }
      let (made, epoch, isNew) = try await log(of: board.id).begin(board, in: .now)
      _ = try await store.insert(made, epoch: epoch)
      return isNew
    } catch let error as RedisError {
      throw unknown(error)
    }
  }

  func refresh() async throws {
    let reply = try await client.send(["HKEYS", RedisLog.boards])
    let known = Set(try await store.boards().map(\.id))
    for id in reply.items?.compactMap(\.text) ?? [] where !known.contains(id) {
      try await adopt(id)
    }
  }

  /// Brings a board into the database that another process has made.
  func adopt(_ id: Board.ID) async throws {
    guard let (board, _) = try await log(of: id).find() else { return }
    // Of an epoch of its own, so that it takes the state with which the epoch in Redis has begun.
    _ = try await store.insert(board, epoch: Position.none.epoch)
  }

  func append(_ change: Change, isRanked: Bool, to board: Board.ID) async throws -> Position {
    do {
      for _ in 0..<4 {
        guard let row = try await store.find(board) else { throw BoardError.noBoard(board) }
        let change = try await store.database.read { db in
          try Store.check(change, isRanked: isRanked, on: row, in: db)
        }
        if let entry = try await log(of: board).append(change, in: row.epoch) {
          do {
            return try await confirm(entry, in: row.epoch, of: board)
          } catch {
            // It is in the stream.
            throw unknown(error)
          }
        }
        try await catchUp(board)
      }
    } catch let error as RedisError {
      throw unknown(error)
    }
    throw BoardError(.serviceUnavailable, "The board is being repaired. Try again.")
  }

  /// Applies an entry of this process, and what lies in front of it.
  private func confirm(
    _ entry: RedisEntry, in epoch: Epoch, of board: Board.ID
  ) async throws -> Position {
    if case .all = try await apply([entry], to: board) {} else { try await catchUp(board) }
    let count = appended.withLock { appended in
      appended[board, default: 0] += 1
      return appended[board, default: 0]
    }
    if count.isMultiple(of: Self.snapshotEvery) { await tryToKeepSnapshot(of: board) }
    let position = Position(epoch: epoch, entry: entry.entry)
    guard let row = try await store.find(board), row.epoch != epoch else { return position }
    return row.position
  }

  /// Applies entries to the database, and says which ones it cannot read.
  func apply(_ entries: [RedisEntry], to board: Board.ID) async throws -> Store.Applied {
    let (applied, skipped) = try await store.apply(entries, to: board)
    skipped.forEach { tellSkipped($0, of: board) }
    return applied
  }

  func tellSkipped(_ entry: RedisEntry, of board: Board.ID) {
    didSkip()
    logger.error(
      """
      Entry \(entry.entry) of \(board) is skipped: it \(entry.isOfBoard
        ? "is a change that this version does not know; the event streams are told"
        : "is none of this service; see who else writes to this Redis").
      """)
  }

  func keepSnapshot(of board: Board.ID) async throws {
    guard let snapshot = try await store.snapshot(of: board) else { return }
    try await log(of: board).keep(RedisSnapshot(items: snapshot.items), at: snapshot.position)
  }

  /// Keeps a snapshot, or logs why that is not possible: another will be kept later.
  func tryToKeepSnapshot(of board: Board.ID) async {
    do { try await keepSnapshot(of: board) } catch {
      logger.warning("No snapshot of \(board) was kept: \(error)")
    }
  }

  func watch(
    _ board: Board.ID, arrived: @escaping @Sendable () -> Void
  ) async throws -> AnyCancellable {
    RedisReader(board: board, feed: self).publisher
      .retry(.exponential(from: .milliseconds(100), to: .seconds(5)))
      .sink(receiveValue: arrived)
  }

  private func unknown(_ error: any Error) -> BoardError {
    logger.warning("A write has failed: \(error)")
    return BoardError(
      .serviceUnavailable,
      "Redis does not answer, so it is not known whether this was written. Look at the board, and try again."
    )
  }
}
