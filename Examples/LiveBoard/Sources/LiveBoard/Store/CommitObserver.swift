import Fanout
import GRDB
import Synchronization

/// An observer of the commits of this process that change or remove a board.
///
/// The database holds it weakly: the observation ends when it is cancelled or released.
final class CommitObserver: TransactionObserver, Cancellable, Sendable {
  private struct State {
    var isChanged = false
    var didCommit: (@Sendable () -> Void)?
  }

  private let key: Int64
  private let state: Mutex<State>

  fileprivate init(_ key: Int64, _ didCommit: @escaping @Sendable () -> Void) {
    self.key = key
    state = Mutex(State(didCommit: didCommit))
  }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    switch kind {
    case .update("boards", _), .delete("boards"): true
    default: false
    }
  }

  func databaseDidChange(with event: DatabaseEvent) {
    if event.rowID == key { state.withLock { $0.isChanged = true } }
  }

  func databaseDidCommit(_ db: Database) {
    let didCommit = state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged ? state.didCommit : nil
    }
    didCommit?()
  }

  func databaseDidRollback(_ db: Database) { state.withLock { $0.isChanged = false } }

  func cancel() {
    let released = state.withLock { $0.didCommit.take() }
    withExtendedLifetime(released) {}
  }
}

extension Store {
  /// Observes a board, until the returned object is cancelled or released.
  ///
  /// The closure is called behind each commit of this process that changes or removes the board, on the queue on which
  /// the database writes.
  func observe(
    _ row: BoardRow, didCommit: @escaping @Sendable () -> Void
  ) async throws -> AnyCancellable {
    try await database.writeWithoutTransaction { db in
      let observer = CommitObserver(row.key, didCommit)
      db.add(transactionObserver: observer, extent: .observerLifetime)
      return AnyCancellable(observer)
    }
  }
}
