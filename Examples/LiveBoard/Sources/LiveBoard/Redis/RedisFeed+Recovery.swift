import Logging

/// How a database finds back to its stream.
///
/// | the stream | the database | what is done |
/// | --- | --- | --- |
/// | goes on behind the database's last entry | is behind, or level | entries are applied |
/// | knows nothing of the board, or has an end in front of the database's last entry | has more: Redis has lost it | a new epoch begins with the database's state |
/// | was removed with its board | has the board | the board is removed there too |
/// | has another epoch | belongs to the old one | the newest snapshot of the epoch is taken, or waited for |
/// | is trimmed behind the database's last entry | lacks what was trimmed | the newest snapshot is taken, or waited for |
/// | the same, and no snapshot comes | lacks it for good | a new epoch begins with what there is |
///
/// In every row but the first, the log of the database begins anew: event streams are told, and get a snapshot.
///
/// A new epoch begins in Redis, in one step. The database then takes it, in one transaction. If this process ends in
/// between, the database is as it was, and follows the epoch like any other one.
extension RedisFeed {
  func catchUp(_ board: Board.ID) async throws {
    do { try await comeUp(board) } catch RedisError.foreign(let key) { throw foreign(key) }
  }

  private func comeUp(_ board: Board.ID) async throws {
    let started = ContinuousClock.now
    var seen: Position?
    var idle = 0
    while !Task.isCancelled {
      if try await store.find(board) == nil { try await adopt(board) }
      guard let row = try await store.find(board) else { return }
      if row.position == seen {
        // Whatever keeps the database from moving must not keep a core busy.
        idle += 1
        guard idle < 12 else { throw Self.isBeingRepaired }
        try await Task.sleep(for: .milliseconds(10 * idle))
      } else {
        (seen, idle) = (row.position, 0)
      }
      let pull = try await log(of: board).pull(after: row.last)
      let isPatient = started.duration(to: .now) < patience
      switch try await step(row, pull, isPatient: isPatient) {
      case .done:
        if pull.isSnapshotWanted { await tryToKeepSnapshot(of: board) }
        return
      case .more: continue
      // It has had its own pause, and has its own end.
      case .waited: seen = nil
      }
    }
    throw CancellationError()
  }

  private enum Step { case done, more, waited }

  private func step(
    _ row: BoardRow, _ pull: RedisLog.Pull, isPatient: Bool
  ) async throws -> Step {
    let board = row.board.id
    switch pull.life {
    case .epoch(row.epoch): break
    case .epoch(let epoch): return try await follow(epoch, row, isPatient: isPatient)
    case .removed:
      try await followRemoval(of: row)
      return .more
    case .none where row.epoch == Position.none.epoch:
      // This process has only the title, and must not begin an epoch with that. Another has more.
      try await forget(row)
      return .more
    case .none:
      try await merge(row, replacing: nil)
      return .more
    }
    guard let first = pull.entries.first else {
      if pull.last == row.last { return .done }
      if pull.last > row.last { return try await recover(row, isPatient: isPatient) }
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
      guard now?.position == row.position else { return .more }
      return try await recover(row, isPatient: isPatient)
    }
  }

  /// Begins a new epoch with whatever the database has, and whatever the stream has.
  private func merge(_ first: BoardRow, replacing old: Epoch?) async throws {
    let board = first.board.id
    for round in 0..<8 {
      // Others write to the stream meanwhile.
      try await Task.sleep(for: .milliseconds(5 * round))
      guard let known = try await store.snapshot(of: board), known.position.epoch == first.epoch
      else { return }
      // Not in the database: with entries of the stream it would look as if it had all of them, but be another one than
      // that of any other process.
      var items = Dictionary(uniqueKeysWithValues: known.items.map { ($0.id, $0) })
      var last = known.position.entry
      var pull: RedisLog.Pull
      repeat {
        pull = try await log(of: board).pull(after: last)
        guard pull.life == old.map(RedisLog.Life.epoch) ?? .none else { return }
        for entry in pull.entries {
          if let change = entry.change {
            change.apply(to: &items)
          } else {
            tellSkipped(entry, of: board)
          }
          last = entry.entry
        }
      } while !pull.entries.isEmpty && last < pull.last
      if try await seed(Array(items.values), of: known, replacing: old, at: pull.last) { return }
    }
  }

  /// Begins a new epoch with a state that has everything that the stream has.
  ///
  /// - Returns: Whether the stream was still as it was looked at.
  private func seed(
    _ items: [Item], of known: Snapshot, replacing old: Epoch?, at last: EntryID
  ) async throws -> Bool {
    let board = known.board
    let epoch = Epoch.now(after: known.position.epoch)
    let isSeeded = try await log(of: board.id).seed(
      RedisSnapshot(items: items), of: board, replacing: old, at: last, as: epoch)
    guard isSeeded else { return false }
    logger.warning("The stream of \(board.id) begins anew with the state of this process.")
    try await store.reset(
      board.id, to: Position(epoch: epoch, entry: last), items: items)
    return true
  }

  /// Removes a board that another process has removed.
  func followRemoval(of row: BoardRow) async throws {
    logger.notice("Board \(row.board.id) was removed by another process.")
    try await forget(row)
  }

  /// Takes the state with which another epoch has begun, or one behind it.
  private func follow(_ epoch: Epoch, _ row: BoardRow, isPatient: Bool) async throws -> Step {
    let log = log(of: row.board.id)
    if row.epoch != Position.none.epoch, let (board, _) = try await log.find(),
      board.title != row.board.title
    {
      // It was removed, and made again.
      try await forget(row)
      return .more
    }
    let (items, entry): ([Item], EntryID)
    switch try await log.snapshot(in: epoch) {
    case .snapshot(let snapshot, let last): (items, entry) = (snapshot.items, last)
    case .none where isPatient: return try await wait(for: log)
    case .none:
      logger.error("No process has a snapshot of \(row.board.id): it has what the stream has.")
      (items, entry) = ([], .zero)
    case .otherEpoch: return .more
    }
    logger.warning("Board \(row.board.id) follows epoch \(epoch.text).")
    try await store.reset(
      row.board.id, to: Position(epoch: epoch, entry: entry), items: items)
    return .more
  }

  /// Takes the newest snapshot, or what there is.
  private func recover(_ row: BoardRow, isPatient: Bool) async throws -> Step {
    let log = log(of: row.board.id)
    if case .snapshot(let snapshot, let entry) = try await log.snapshot(in: row.epoch),
      entry > row.last
    {
      logger.warning("Board \(row.board.id) goes on at snapshot \(entry).")
      try await store.reset(
        row.board.id, to: Position(epoch: row.epoch, entry: entry), items: snapshot.items)
      return .more
    }
    guard !isPatient else { return try await wait(for: log) }
    logger.error(
      "Board \(row.board.id) lacks entries that were trimmed: no process has a snapshot.")
    try await merge(row, replacing: row.epoch)
    return .more
  }

  private func wait(for log: RedisLog) async throws -> Step {
    try await log.wantSnapshot()
    try await Task.sleep(for: .milliseconds(100))
    return .waited
  }
}
