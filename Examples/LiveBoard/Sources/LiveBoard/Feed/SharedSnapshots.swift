import Foundation
import Logging
import NIOCore
import Synchronization

/// A board's snapshot as JSON, in pieces, as all that are sent it at the same time share it.
///
/// The pieces can be withdrawn, so that a reader that takes its time does not keep them: then it gets no further one.
final class SnapshotText: Sendable {
  /// An error of a reader from which the rest is withdrawn.
  struct Withdrawn: Error {}

  let position: Position
  let length: Int
  let made = ContinuousClock.now
  let pieceCount: Int
  private let state: Mutex<State>

  private struct State {
    var pieces: [ByteBuffer]?
    /// When a reader has last taken a piece.
    var taken = ContinuousClock.now
  }

  /// The bytes in a second that a reader has to take while others need a newer snapshot.
  private static let leastRate = 64 * 1_024.0

  /// Not more, because a piece waits in each connection whose browser does not read.
  private static let pieceLength = 16 * 1_024

  init(_ snapshot: Snapshot) async {
    position = snapshot.position
    var pieces: [ByteBuffer] = []
    var piece = ByteBuffer()
    piece.writeString(#"{"board":\#(JSON.text(snapshot.board)),"items":["#)
    for (index, item) in snapshot.items.enumerated() {
      if index > 0 { piece.writeString(",") }
      piece.writeBytes(JSON.bytes(item))
      guard piece.readableBytes >= Self.pieceLength else { continue }
      pieces.append(piece)
      piece = ByteBuffer()
      // A great board takes some time, in which event streams have changes to send.
      await Task.yield()
    }
    piece.writeString(#"],"position":"\#(position)"}"#)
    pieces.append(piece)
    length = pieces.reduce(0) { $0 + $1.readableBytes }
    pieceCount = pieces.count
    state = Mutex(State(pieces: pieces))
  }

  /// Returns a piece by its number.
  ///
  /// - Throws: ``Withdrawn``
  func piece(_ index: Int) throws(Withdrawn) -> ByteBuffer {
    let piece = state.withLock { state in
      state.taken = .now
      return state.pieces?[index]
    }
    guard let piece else { throw Withdrawn() }
    return piece
  }

  var isWithdrawn: Bool { state.withLock { $0.pieces == nil } }

  /// Whether it is not taken for so long, or so slowly, that others need not wait for that.
  func isStuck(after stall: Duration) -> Bool {
    let now = ContinuousClock.now
    let most = stall + .seconds(Double(length) / Self.leastRate)
    return made.duration(to: now) >= most
      || state.withLock { $0.taken.duration(to: now) >= stall }
  }

  /// Takes the pieces away; returns whether they were there.
  @discardableResult
  func withdraw() -> Bool { state.withLock { $0.pieces.take() } != nil }
}

/// The snapshots that are being sent: at most one of each board, and so many bytes in all.
///
/// A browser that does not read keeps a snapshot until its connection is closed. So an event stream
/// gets the one that is there, also if the board has changed since: what the log has behind it makes
/// up for that. A reader that needs the newest state waits until the older snapshot is sent, for
/// ``patience`` at most. If no reader takes a piece of it in ``stall``, or all are too slow, it is
/// withdrawn: they are cut off, and come back.
final class SharedSnapshots: Sendable {
  /// The time for which a reader waits for others.
  static let patience = Duration.seconds(5)
  /// The time in which a reader has to take a piece while others wait.
  static let stall = Duration.seconds(3)

  private struct Entry {
    weak var text: SnapshotText?
    var making: Making?
    /// The wait of all that need a newer text; it returns whether the text is over.
    var clearing: Task<Bool, Never>?
  }

  /// A snapshot that is being made.
  private struct Making {
    let number: Int
    let task: Task<SnapshotText?, any Error>
  }

  private struct State {
    var entries: [Board.ID: Entry] = [:]
    var count = 0
  }

  private enum Choice {
    case take(SnapshotText)
    case join(Making)
    /// An older snapshot is being sent.
    case wait(Task<Bool, Never>)
  }

  private let store: Store
  private let limit: Int
  private let willMake: @Sendable () -> Void
  private let didWithdraw: @Sendable () -> Void
  private let state = Mutex(State())
  /// More at the same time would need memory that no limit counts.
  private let turns = Turns(2)

  /// Creates the snapshots of a database.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - limit: The bytes that the snapshots have in all. One that is greater stands alone.
  ///   - willMake: The closure that is called for each snapshot.
  ///   - didWithdraw: The closure that is called for each one that is withdrawn while it is sent.
  init(
    store: Store, limit: Int, willMake: @escaping @Sendable () -> Void = {},
    didWithdraw: @escaping @Sendable () -> Void = {}
  ) {
    self.store = store
    self.limit = limit
    self.willMake = willMake
    self.didWithdraw = didWithdraw
  }

  /// Returns a snapshot of a board from which its log goes on.
  ///
  /// - Parameters:
  ///   - board: The board.
  ///   - isCurrent: Whether it has everything that is committed now.
  ///   - position: A position that it must not lie in front of, if it is one of the log.
  /// - Returns: The snapshot, or nil if there is no such board.
  /// - Throws: A ``BoardError`` if an older snapshot is being sent for too long; an error of the database.
  func text(
    of board: Board.ID, isCurrent: Bool = false, notBefore position: Position? = nil
  ) async throws -> SnapshotText? {
    guard let first = try await store.find(board) else { return nil }
    let least = isCurrent ? first.position : position.map { min($0, first.position) }
    while let row = try await store.find(board) {
      switch choose(board, row, least) {
      case .take(let text): return text
      case .join(let making):
        guard let text = try await finish(making, of: board) else { return nil }
        if isEnough(text, row, least) { return text }
      case .wait(let clearing):
        guard await clearing.value else {
          throw BoardError(
            .serviceUnavailable, "The board is being read by others. Try again.", retryAfter: 1)
        }
        try Task.checkCancellation()
      }
    }
    return nil
  }

  /// Whether the log goes on behind a text, and it is new enough.
  private func isEnough(_ text: SnapshotText, _ row: BoardRow, _ least: Position?) -> Bool {
    // The text may be newer than the row.
    text.position.epoch >= row.epoch && text.position.entry >= row.floor
      && !text.isWithdrawn && least.map { text.position >= $0 } ?? true
  }

  private func choose(_ board: Board.ID, _ row: BoardRow, _ least: Position?) -> Choice {
    state.withLock { state in
      let entry = state.entries[board]
      if let text = entry?.text, !text.isWithdrawn {
        if isEnough(text, row, least) { return .take(text) }
        let clearing = entry?.clearing ?? clearing(of: text, on: board)
        state.entries[board]?.clearing = clearing
        return .wait(clearing)
      }
      if let making = entry?.making { return .join(making) }
      state.count += 1
      let making = Making(number: state.count, task: Task { try await make(board) })
      state.entries[board] = Entry(making: making)
      return .join(making)
    }
  }

  private func finish(_ making: Making, of board: Board.ID) async throws -> SnapshotText? {
    let result = await making.task.result
    let text = try? result.get()
    let withdrawn = state.withLock { state -> [SnapshotText] in
      guard state.entries[board]?.making?.number == making.number else { return [] }
      state.entries[board] = text.map { Entry(text: $0) }
      guard let text else { return [] }
      return Self.beyond(limit, beside: text, in: &state)
    }
    for text in withdrawn { cut(text) }
    return try result.get()
  }

  /// Takes the oldest snapshots out that are beyond a limit of bytes.
  private static func beyond(
    _ limit: Int, beside newest: SnapshotText, in state: inout State
  ) -> [SnapshotText] {
    state.entries = state.entries.filter { $0.value.text != nil || $0.value.making != nil }
    let others = state.entries.compactMap { $0.value.text }.filter { $0 !== newest }
    var left = newest.length + others.reduce(0) { $0 + $1.length }
    return others.sorted { $0.made < $1.made }.prefix { text in
      defer { left -= text.length }
      return left > limit
    }
  }

  /// Returns a task that waits until a text is no longer sent, and withdraws it if it is stuck.
  ///
  /// It looks again and again, because a text is over when the last of its readers releases it.
  private func clearing(of text: SnapshotText, on board: Board.ID) -> Task<Bool, Never> {
    let end = ContinuousClock.now + Self.patience
    return Task { [weak text] in
      while text?.isWithdrawn == false {
        if let text, text.isStuck(after: Self.stall) { cut(text) }
        guard ContinuousClock.now < end else {
          state.withLock { $0.entries[board]?.clearing = nil }
          return text?.isWithdrawn != false
        }
        try? await Task.sleep(for: .milliseconds(20))
      }
      return true
    }
  }

  private func cut(_ text: SnapshotText) {
    if text.withdraw() { didWithdraw() }
  }

  private func make(_ board: Board.ID) async throws -> SnapshotText? {
    await turns.take()
    defer { turns.give() }
    willMake()
    guard let snapshot = try await store.snapshot(of: board) else { return nil }
    return await SnapshotText(snapshot)
  }
}
