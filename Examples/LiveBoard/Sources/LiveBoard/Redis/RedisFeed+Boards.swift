import Foundation

/// How boards come and go.
extension RedisFeed {
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
      throw failed(error)
    }
  }

  func refresh() async throws {
    let listed: Set<Board.ID>
    do {
      let reply = try await client.send(["HKEYS", RedisLog.boards])
      listed = Set(reply.items?.compactMap(\.text) ?? [])
    } catch RedisError.refused(let text) where text.hasPrefix("WRONGTYPE") {
      // What the database has is shown; the log is told here, and not with each request.
      _ = foreign(RedisLog.boards)
      return
    }
    var known: [Board.ID: Board] = [:]
    for board in try await store.boards() { known[board.id] = board }
    try await settle(Array(listed.symmetricDifference(known.keys)), known)
  }

  /// Brings together what Redis lists and what the database has, where they differ.
  ///
  /// A board of which Redis knows nothing goes back there when it is asked for.
  private func settle(_ boards: [Board.ID], _ known: [Board.ID: Board]) async throws {
    guard !boards.isEmpty else { return }
    let reply = try await client.send(["MGET"] + boards.map { RedisLog.epoch(of: $0) })
    for (id, epoch) in zip(boards, reply.items ?? []) {
      do {
        switch (RedisLog.Life(epoch.text), known[id]) {
        case (.removed, .some):
          if let row = try await store.find(id) { try await followRemoval(of: row) }
        case (.epoch, nil): try await adopt(id)
        case (.epoch, let board?): try await log(of: id).list(board)
        case (.none, _), (.removed, nil): continue
        }
      } catch RedisError.foreign(let key) {
        // One board that cannot be read does not hide the others.
        _ = foreign(key)
      }
    }
  }

  /// Brings a board into the database that another process has made.
  func adopt(_ id: Board.ID) async throws {
    guard let (board, _) = try await log(of: id).find() else { return }
    // Of an epoch of its own, so that it takes the state with which the epoch in Redis has begun.
    _ = try await store.insert(board, epoch: Position.none.epoch)
  }

  func remove(_ board: Board.ID, unusedSince time: Date?) async throws -> Bool {
    do {
      // A board that Redis has lost goes back there, so that the others learn of its removal.
      try await catchUp(board)
      guard let row = try await store.find(board) else { return false }
      var unused: Position?
      if time != nil {
        unused = try await store.emptyEnd(of: board)
        guard unused != nil else { return false }
      }
      let isRemoved = try await log(of: board).remove(unused: unused)
      if isRemoved { try await forget(row) }
      return isRemoved
    } catch let error as RedisError {
      throw failed(error)
    }
  }

  func use(_ boards: [Board.ID]) async throws {
    guard !boards.isEmpty else { return }
    let keys = boards.map { log(of: $0).used }
    _ = try await client.send(
      ["EVAL", "for _, key in ipairs(KEYS) do redis.call('SET', key, '1', 'EX', ARGV[1]) end"]
        + ["\(keys.count)"] + keys + ["\(usedFor)"])
  }
}

extension Store {
  /// Returns the last position of a board if it has no items; nil otherwise.
  fileprivate func emptyEnd(of board: Board.ID) async throws -> Position? {
    try await database.read { db in
      guard let row = try BoardRow.find(board, in: db) else { return nil }
      return try Store.hasItems(row, in: db) ? nil : row.position
    }
  }
}
