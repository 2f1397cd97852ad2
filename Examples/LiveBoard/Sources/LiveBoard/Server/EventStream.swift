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

  /// Replayed events are gathered up to so many bytes, because each write costs.
  private static let gathered = 8 * 1_024

  /// Writes events until the service closes, the board is removed, or the browser has gone.
  func write(to writer: inout any ResponseBodyWriter) async throws {
    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
    var last = "end"
    do {
      var position: Position
      switch start {
      case .after(let known):
        await catchUp(to: known)
        position = known
      case .new: position = try await send(try await snapshot(), to: &writer)
      case .unknown: position = try await sendMissed(after: nil, to: &writer)
      }
      while try await follow(&position, to: &writer) {}
    } catch let error as BoardError where error.status == .notFound {
      last = "removed"
    }
    try await writer.write(ByteBuffer(string: Event.text(last, data: "{}")))
  }

  /// Sends what follows a position; returns whether the stream is to go on behind the position that it then has.
  private func follow(
    _ position: inout Position, to writer: inout any ResponseBodyWriter
  ) async throws -> Bool {
    var replayed = ByteBuffer()
    do {
      for try await event in boards.events(of: board, after: position, label: label) {
        switch event {
        case .replayed(let batch):
          replayed.writeImmutableBuffer(batch.events(after: position))
          position = batch.last
          if replayed.readableBytes >= Self.gathered { try await write(&replayed, to: &writer) }
        case .live(let batch):
          let events = batch.events(after: position)
          position = batch.last
          try await write(&replayed, to: &writer)
          // Not gathered: the bytes are those of all streams.
          if events.readableBytes > 0 { try await writer.write(events) }
        case .caughtUp:
          replayed.writeString(Event.text("live", data: "{}"))
          try await write(&replayed, to: &writer)
        case .missed:
          try await write(&replayed, to: &writer)
          position = try await sendMissed(after: position, to: &writer)
          return true
        }
      }
    } catch is BoardReset {
      try await write(&replayed, to: &writer)
      position = try await sendMissed(after: position, to: &writer)
      return true
    }
    try await write(&replayed, to: &writer)
    try Task.checkCancellation()
    return false
  }

  private func write(
    _ events: inout ByteBuffer, to writer: inout any ResponseBodyWriter
  ) async throws {
    guard events.readableBytes > 0 else { return }
    try await writer.write(events)
    events = ByteBuffer()
  }

  /// Tells of a hole behind a position, and sends the state that makes up for it; returns its position.
  private func sendMissed(
    after position: Position?, to writer: inout any ResponseBodyWriter
  ) async throws -> Position {
    instruments.told.increment()
    let snapshot = try await snapshot(notBefore: position)
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

  private func snapshot(notBefore position: Position? = nil) async throws -> SnapshotText {
    guard let snapshot = try await boards.snapshots.text(of: board, notBefore: position) else {
      throw BoardError.noBoard(board)
    }
    return snapshot
  }

  /// Sends a snapshot; returns its position.
  private func send(
    _ snapshot: SnapshotText, to writer: inout any ResponseBodyWriter
  ) async throws -> Position {
    instruments.snapshots.increment()
    try await writer.write(
      ByteBuffer(string: "id: \(snapshot.position)\nevent: snapshot\ndata: "))
    try await snapshot.write(to: &writer, on: eventLoop)
    try await writer.write(ByteBuffer(string: "\n\n"))
    return snapshot.position
  }
}

extension SnapshotText {
  /// Writes the text piece by piece, so that no more than one waits for a browser that does not read.
  ///
  /// - Throws: ``Withdrawn``, if the browser takes so long that others need the memory.
  func write(
    to writer: inout any ResponseBodyWriter, on eventLoop: any EventLoop
  ) async throws {
    for index in 0..<pieceCount {
      try await writer.write(try piece(index))
      // Behind this the writer knows whether the connection takes more; without it, it would take all pieces at once.
      try await eventLoop.submit {}.get()
    }
  }
}
