import Logging

/// How a database finds back to its stream.
///
/// | the stream | the database | what is done |
/// | --- | --- | --- |
/// | goes on behind the database's last entry | is behind, or level | entries are applied |
/// | knows nothing of the board, or has an end in front of the database's last entry | has more: Redis has lost it | a new epoch begins with the database's state |
/// | has another epoch | belongs to the old one | the snapshot that began the epoch is taken |
/// | is trimmed behind the database's last entry | lacks what was trimmed | the newest snapshot is taken, or waited for |
/// | the same, and no snapshot comes | lacks it for good | a new epoch begins with what there is |
///
/// In every row but the first, the log of the database begins anew: event streams are told, and get a snapshot.
///
/// A new epoch begins in Redis, in one step. The database then takes it, in one transaction. If this process ends in
/// between, the database is as it was, and follows the epoch like any other one.
extension RedisFeed {
  func catchUp(_ board: Board.ID) async throws {
    let started = ContinuousClock.now
    while !Task.isCancelled {
      if try await store.find(board) == nil { try await adopt(board) }
      guard let row = try await store.find(board) else { return }
      let pull = try await log(of: board).pull(after: row.last)
      switch try await step(row, pull) {
      case .done:
        if pull.isSnapshotWanted { await tryToKeepSnapshot(of: board) }
        return
      case .more: continue
      case .hole:
        let isPatient = started.duration(to: .now) < patience
        try await recover(row, pull, isPatient: isPatient)
      }
    }
    throw CancellationError()
  }

  private enum Step { case done, more, hole }

  private func step(_ row: BoardRow, _ pull: RedisLog.Pull) async throws -> Step {
    let board = row.board.id
    guard pull.epoch == row.epoch else {
      if let epoch = pull.epoch {
        try await follow(epoch, row)
      } else {
        try await merge(row, replacing: nil)
      }
      return .more
    }
    guard let first = pull.entries.first else {
      if pull.last == row.last { return .done }
      if pull.last > row.last { return .hole }
      try await merge(row, replacing: row.epoch)
      return .more
    }
    if let previous = first.previous, previous < row.last {
      // Redis lost what it had last, and then went on. The database has both.
      logger.warning("The stream of \(board) has lost entries up to \(row.last).")
      try await merge(row, replacing: row.epoch)
      return .more
    }
    switch try await apply(pull.entries, to: board) {
    case .all: return pull.entries.last?.entry == pull.last ? .done : .more
    case .hole, .otherEpoch:
      // Another task, or another process with this database, may have come in between.
      let now = try await store.find(board)
      return now?.position == row.position ? .hole : .more
    }
  }

  /// Begins a new epoch with whatever the database has, and whatever the stream has.
  private func merge(_ first: BoardRow, replacing old: Epoch?) async throws {
    let board = first.board.id
    while let known = try await store.snapshot(of: board), known.position.epoch == first.epoch {
      // Not in the database: with entries of the stream it would look as if it had all of them, but be another one than
      // that of any other process.
      var items = Dictionary(uniqueKeysWithValues: known.items.map { ($0.id, $0) })
      var last = known.position.entry
      var pull: RedisLog.Pull
      repeat {
        pull = try await log(of: board).pull(after: last)
        guard pull.epoch == old else { return }
        for entry in pull.entries {
          if let change = entry.change {
            change.apply(to: &items)
          } else {
            tellSkipped(entry, of: board)
          }
          last = entry.entry
        }
      } while !pull.entries.isEmpty && last < pull.last
      if try await seed(Array(items.values), of: known, pull) { return }
    }
  }

  /// Begins a new epoch with a state that has everything that the stream has.
  ///
  /// - Returns: Whether the stream was still as it was looked at.
  private func seed(
    _ items: [Item], of known: Snapshot, _ pull: RedisLog.Pull
  ) async throws -> Bool {
    let board = known.board
    let epoch = Epoch.now(after: known.position.epoch)
    let isSeeded = try await log(of: board.id).seed(
      RedisSnapshot(items: items), of: board, replacing: pull.epoch, at: pull.last, as: epoch)
    guard isSeeded else { return false }
    logger.warning("The stream of \(board.id) begins anew with the state of this process.")
    try await store.reset(
      board.id, to: Position(epoch: epoch, entry: pull.last), items: items)
    return true
  }

  /// Takes the state with which another epoch has begun.
  private func follow(_ epoch: Epoch, _ row: BoardRow) async throws {
    let (items, entry): ([Item], EntryID)
    switch try await log(of: row.board.id).snapshot(in: epoch) {
    case .snapshot(let snapshot, let last): (items, entry) = (snapshot.items, last)
    // It has begun with an empty board.
    case .none: (items, entry) = ([], .zero)
    case .otherEpoch: return
    }
    logger.warning("Board \(row.board.id) follows epoch \(epoch.text).")
    try await store.reset(
      row.board.id, to: Position(epoch: epoch, entry: entry), items: items)
  }

  /// Takes the newest snapshot, or what there is.
  private func recover(_ row: BoardRow, _ pull: RedisLog.Pull, isPatient: Bool) async throws {
    let log = log(of: row.board.id)
    if case .snapshot(let snapshot, let entry) = try await log.snapshot(in: row.epoch),
      entry > row.last
    {
      logger.warning("Board \(row.board.id) goes on at snapshot \(entry).")
      try await store.reset(
        row.board.id, to: Position(epoch: row.epoch, entry: entry), items: snapshot.items)
      return
    }
    guard !isPatient else {
      try await log.wantSnapshot()
      try await Task.sleep(for: .milliseconds(100))
      return
    }
    logger.error(
      "Board \(row.board.id) lacks entries that were trimmed, and nobody has a snapshot.")
    try await merge(row, replacing: row.epoch)
  }
}
