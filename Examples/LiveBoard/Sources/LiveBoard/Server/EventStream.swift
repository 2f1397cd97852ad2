import Fanout
import Hummingbird
import Logging
import NIOCore

/// One event stream: a loop over the log of a board.
///
/// The loop waits while the browser does not read. Then only its own backlog fills, and what that drops comes from the
/// store when the browser reads again.
struct EventStream: Sendable {
  /// The id with which a browser comes.
  enum Start: Sendable {
    case new
    case after(Position)
    /// An id that is no position.
    case unknown
  }

  let board: Board.ID
  let start: Start
  let label: String
  /// The event loop of the connection.
  let eventLoop: any EventLoop
  let boards: LiveBoards
  let instruments: Instruments

  /// Writes events until the service closes, or the browser has gone.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
    var position: Position
    switch start {
    case .after(let known):
      await catchUp(to: known)
      position = known
    case .new: position = try await send(try await snapshot(), to: &writer)
    case .unknown: position = try await sendMissed(after: nil, to: &writer)
    }
    while try await follow(&position, to: &writer) {}
    try await writer.write(ByteBuffer(string: Event.text("end", data: "{}")))
  }

  /// Sends what follows a position; returns whether the stream is to go on behind the position that it then has.
  private func follow(
    _ position: inout Position, to writer: inout any ResponseBodyWriter
  ) async throws -> Bool {
    do {
      for try await event in boards.events(of: board, after: position, label: label) {
        switch event {
        case .replayed(let batch), .live(let batch):
          let frame = batch.frame(after: position)
          if frame.readableBytes > 0 { try await writer.write(frame) }
          position = batch.last
        case .caughtUp: try await writer.write(ByteBuffer(string: Event.text("live", data: "{}")))
        case .missed:
          position = try await sendMissed(after: position, to: &writer)
          return true
        }
      }
    } catch is BoardReset {
      position = try await sendMissed(after: position, to: &writer)
      return true
    }
    try Task.checkCancellation()
    return false
  }

  /// Tells of a hole behind a position, and sends the state that makes up for it; returns its position.
  private func sendMissed(
    after position: Position?, to writer: inout any ResponseBodyWriter
  ) async throws -> Position {
    instruments.told.increment()
    let snapshot = try await snapshot()
    // A delivery's count is one of batches, so it does not tell how many changes are missing.
    let count = position.flatMap { boards.feed.count(after: $0, upTo: snapshot.position) }
    let data = "{\"count\":\(count.map(String.init) ?? "null")}"
    try await writer.write(ByteBuffer(string: Event.text("missed", data: data)))
    return try await send(snapshot, to: &writer)
  }

  /// Waits some seconds for an engine that does not answer, if a browser has more of the log than this database.
  ///
  /// Another process has sent that. Without the wait the position would count as unknown.
  private func catchUp(to position: Position) async {
    for _ in 0..<50 where !Task.isCancelled {
      guard let row = try? await boards.store.find(board), row.epoch == position.epoch,
        row.position < position
      else { return }
      do { return try await boards.feed.catchUp(board) } catch {
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func snapshot() async throws -> SnapshotText {
    guard let snapshot = try await boards.snapshots.text(of: board) else {
      throw BoardError.noBoard(board)
    }
    return snapshot
  }

  /// Sends a snapshot piece by piece, so that no more than one waits for a browser that does not read.
  private func send(
    _ snapshot: SnapshotText, to writer: inout any ResponseBodyWriter
  ) async throws -> Position {
    instruments.snapshots.increment()
    for piece in snapshot.pieces {
      try await writer.write(piece)
      // Behind this the writer knows whether the connection takes more; without it, it would take all pieces at once.
      try await eventLoop.submit {}.get()
    }
    return snapshot.position
  }
}
