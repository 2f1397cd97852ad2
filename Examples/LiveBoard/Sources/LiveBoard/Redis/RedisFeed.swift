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
  /// The seconds for which a board counts as used when a process has said so.
  let usedFor: Int
  private let didSkip: @Sendable () -> Void
  /// When the log was last told of a foreign key.
  private let told = Mutex<[String: ContinuousClock.Instant]>([:])

  init(
    store: Store, address: RedisAddress, on group: any EventLoopGroup, logger: Logger,
    patience: Duration = .seconds(3), usedFor: Int = 86_400, didSkip: @escaping @Sendable () -> Void
  ) {
    self.store = store
    client = RedisClient(address, on: group)
    self.logger = logger
    self.patience = patience
    self.usedFor = usedFor
    self.didSkip = didSkip
  }

  func log(of board: Board.ID) -> RedisLog {
    RedisLog(client: client, board: board, usedFor: usedFor)
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
          } catch let error as BoardError where error.status == .notFound {
            // The board has been removed since.
            throw error
          } catch {
            // It is in the stream, but Redis may still lose that end.
            throw unknown(error)
          }
        }
        try await catchUp(board)
      }
    } catch let error as RedisError {
      throw failed(error)
    }
    throw Self.isBeingRepaired
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
        : "is none of this service; see what else writes to this Redis").
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

  /// Removes a board from the database, which is a view of Redis, unless it was made anew meanwhile.
  func forget(_ row: BoardRow) async throws {
    appended.withLock { $0[row.board.id] = nil }
    _ = try await store.remove(row.board.id, of: row.epoch)
  }

  func check() async throws {
    // A write, because a replica, or a Redis without memory or disk, answers `PING` all the same.
    _ = try await client.send(
      ["SET", "liveboard:check", "1", "EX", "60"], patience: .seconds(2))
  }
}

/// The errors of requests.
extension RedisFeed {
  static let isBeingRepaired = BoardError(
    .serviceUnavailable, "The board is being repaired. Try again.")

  /// Returns the error of a request that was to write.
  func failed(_ error: RedisError) -> BoardError {
    if case .foreign(let key) = error { return foreign(key) }
    if error.isOutcomeUnknown { return unknown(error) }
    logger.warning("A write has failed: \(error)")
    let reason =
      switch error {
      case .notAllowed: "Redis does not let this service in (the service's log says why)"
      case .refused: "Redis refuses changes"
      default: "Redis cannot be reached"
      }
    return BoardError(.serviceUnavailable, "\(reason), so nothing was written. Try again.")
  }

  private func unknown(_ error: any Error) -> BoardError {
    logger.warning("It is not known whether a write has failed: \(error)")
    return BoardError(
      .serviceUnavailable,
      """
      Redis does not answer, so it is not known whether this was written. Look at the board, and \
      try again.
      """
    )
  }

  /// Returns the error of a request for which a foreign key stands in the way.
  ///
  /// The log is told once in a while.
  func foreign(_ key: String) -> BoardError {
    let now = ContinuousClock.now
    let isDue = told.withLock { told in
      if let last = told[key], last.duration(to: now) < .seconds(10) { return false }
      told[key] = now
      return true
    }
    if isDue {
      logger.error(
        """
        \(key) in Redis holds what this service has not written, and what needs it is refused. See \
        what else writes to this Redis, and then delete the key (redis-cli DEL '\(key)'): what \
        belongs there comes back from the databases of the processes, in a new epoch if need be.
        """)
    }
    return BoardError(
      .serviceUnavailable,
      """
      Redis holds something foreign at \(key), so this cannot be done. The service's log says what \
      to do.
      """
    )
  }
}
