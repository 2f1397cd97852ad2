// `Observation` is unchecked: it only keeps the observer. Its state is used by the database, on the queue on which that
// writes.

import GRDB

/// An observer of the commits of this process that change a board.
///
/// The database holds it weakly: the observation ends when it is released. Its state is used on the queue on which the
/// database writes, and there alone.
final class CommitObserver: TransactionObserver {
  private let key: Int64
  private let didCommit: @Sendable () -> Void
  private var isChanged = false

  fileprivate init(_ key: Int64, _ didCommit: @escaping @Sendable () -> Void) {
    self.key = key
    self.didCommit = didCommit
  }

  func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
    if case .update("boards", _) = kind { true } else { false }
  }

  func databaseDidChange(with event: DatabaseEvent) {
    if event.rowID == key { isChanged = true }
  }

  func databaseDidCommit(_ db: Database) {
    guard isChanged else { return }
    isChanged = false
    didCommit()
  }

  func databaseDidRollback(_ db: Database) { isChanged = false }
}

/// A claim on an observation, which ends with it.
final class Observation: @unchecked Sendable {
  private let observer: CommitObserver

  fileprivate init(_ observer: CommitObserver) { self.observer = observer }
}

extension Store {
  /// Begins to observe a board, until the returned object is released.
  ///
  /// The closure is called behind each commit of this process that changes the board, on the queue on which the
  /// database writes.
  func observe(
    _ row: BoardRow, didCommit: @escaping @Sendable () -> Void
  ) async throws -> Observation {
    try await database.writeWithoutTransaction { db in
      let observer = CommitObserver(row.key, didCommit)
      db.add(transactionObserver: observer, extent: .observerLifetime)
      return Observation(observer)
    }
  }
}
