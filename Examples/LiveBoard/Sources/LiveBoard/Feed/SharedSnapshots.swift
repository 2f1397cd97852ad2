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
  }

  private let store: Store
  private let newest = Mutex<[Board.ID: Entry]>([:])

  init(store: Store) { self.store = store }

  /// Returns the snapshot of a board, or nil if there is no such board.
  func text(of board: Board.ID) async throws -> SnapshotText? {
    guard let row = try await store.find(board) else { return nil }
    if let known = known(board, at: row.position) { return known }
    guard let snapshot = try await store.snapshot(of: board) else { return nil }
    let text = SnapshotText(snapshot)
    return newest.withLock { newest in
      // Another stream may have made the same one meanwhile.
      if let other = newest[board]?.text, other.position == text.position { return other }
      newest[board] = Entry(text: text)
      return text
    }
  }

  private func known(_ board: Board.ID, at position: Position) -> SnapshotText? {
    newest.withLock { newest in
      guard let text = newest[board]?.text, text.position == position else { return nil }
      return text
    }
  }
}
