import Logging

/// The arrivals of one board's stream, for the whole process.
///
/// It begins behind what the database has, each time that it is iterated, and fails when the connection is lost: then
/// `retry` iterates it again, with growing pauses.
struct RedisReader: AsyncSequence, Sendable {
  typealias Element = Void
  typealias Failure = any Error

  let board: Board.ID
  let feed: RedisFeed

  func makeAsyncIterator() -> Iterator { Iterator(board: board, feed: feed) }

  struct Iterator: AsyncIteratorProtocol {
    private let board: Board.ID
    private let feed: RedisFeed
    private var connection: RedisConnection?
    /// The last entry of an arrival.
    ///
    /// The database may be ahead of it, if another process writes to the same file.
    private var last = EntryID.zero

    fileprivate init(board: Board.ID, feed: RedisFeed) {
      self.board = board
      self.feed = feed
    }

    mutating func next() async throws -> Void? {
      guard !Task.isCancelled else { return nil }
      do {
        guard let connection else {
          connection = try await feed.client.connect()
          return try await catchUp()
        }
        let entries = try await arrivals(on: connection)
        // Without an arrival too: Redis may have been emptied, or have lost its end.
        guard let newest = entries.last, case .all = try await feed.apply(entries, to: board)
        else { return try await catchUp() }
        last = newest.entry
        return ()
      } catch {
        connection?.close()
        guard !Task.isCancelled else { return nil }
        // Of an error of the board, the log is told already.
        guard !(error is BoardError) else { throw error }
        feed.logger.warning("The stream of \(board) is read again after a pause: \(error)")
        throw error
      }
    }

    private mutating func catchUp() async throws {
      let old = try await feed.store.find(board)?.last ?? .zero
      try await feed.catchUp(board)
      last = Swift.min(old, try await feed.store.find(board)?.last ?? .zero)
    }

    private func arrivals(on connection: RedisConnection) async throws -> [RedisEntry] {
      let command = [
        "XREAD", "COUNT", "256", "BLOCK", "1000", "STREAMS", feed.log(of: board).stream,
        last.description,
      ]
      let reply = try await withTaskCancellationHandler {
        try await connection.send(command, timeout: .seconds(10))
      } onCancel: {
        connection.close()
      }
      // The stream may be trimmed behind `last`, so the entry in front of the first one is not known.
      return try RedisEntry.list(reply.items?.first?.items?.last?.items ?? [], behind: nil)
    }
  }
}

@available(*, unavailable)
extension RedisReader.Iterator: Sendable {}
