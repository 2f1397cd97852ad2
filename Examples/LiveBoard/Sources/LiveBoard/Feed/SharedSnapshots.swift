import NIOCore
import Synchronization

/// The event of a board's snapshot, as all event streams at one position send it.
final class SnapshotText: Sendable {
  let position: Position
  private let text: ByteBuffer

  private static let pieceLength = 32 * 1_024

  fileprivate init(_ snapshot: Snapshot) {
    position = snapshot.position
    text = ByteBuffer(
      string: Event.text("snapshot", id: snapshot.position, data: JSON.text(snapshot)))
  }

  /// The text, one piece after the other; each is a copy, which does not keep the whole.
  var pieces: some Sequence<ByteBuffer> {
    let bytes = text.readableBytesView
    return stride(from: bytes.startIndex, to: bytes.endIndex, by: Self.pieceLength).lazy.map {
      ByteBuffer(bytes: bytes[$0..<min($0 + Self.pieceLength, bytes.endIndex)])
    }
  }
}

/// The newest snapshot of each board as text, for as long as an event stream sends it.
///
/// A browser that does not read keeps it, until its connection is closed. Many of them keep the same one, unless the
/// board has changed between their requests.
final class SharedSnapshots: Sendable {
  private struct Entry {
    weak var text: SnapshotText?
    var making: Making?
  }

  /// A snapshot that is being made, at a position or behind it.
  private struct Making {
    let number: Int
    let position: Position
    let task: Task<SnapshotText?, any Error>
  }

  private struct State {
    var entries: [Board.ID: Entry] = [:]
    var count = 0
  }

  private let store: Store
  private let willMake: @Sendable () -> Void
  private let state = Mutex(State())

  init(store: Store, willMake: @escaping @Sendable () -> Void = {}) {
    self.store = store
    self.willMake = willMake
  }

  /// Returns the snapshot of a board, or nil if there is no such board.
  ///
  /// Browsers that come back at the same time wait for one snapshot, and do not make one each.
  func text(of board: Board.ID) async throws -> SnapshotText? {
    guard let position = try await store.find(board)?.position else { return nil }
    let (text, making) = state.withLock { state -> (SnapshotText?, Making?) in
      let entry = state.entries[board]
      if let text = entry?.text, text.position == position { return (text, nil) }
      if let making = entry?.making, making.position >= position { return (nil, making) }
      state.count += 1
      let making = Making(
        number: state.count, position: position, task: Task { try await make(board) })
      state.entries[board] = Entry(text: nil, making: making)
      return (nil, making)
    }
    guard let making else { return text }
    let result = await making.task.result
    state.withLock { state in
      guard state.entries[board]?.making?.number == making.number else { return }
      state.entries[board] = Entry(text: try? result.get())
    }
    return try result.get()
  }

  private func make(_ board: Board.ID) async throws -> SnapshotText? {
    willMake()
    return try await store.snapshot(of: board).map(SnapshotText.init)
  }
}
