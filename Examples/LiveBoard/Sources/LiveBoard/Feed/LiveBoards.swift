import Fanout
import Logging
import Synchronization

/// The boards that are watched: one log for each, which its event streams share.
final class LiveBoards: Sendable {
  /// The time for which a board stays observed when its last event stream has gone.
  static let grace = Duration.seconds(5)

  let store: Store
  let feed: any Feed
  let snapshots: SharedSnapshots
  private let shares: SharedByKey<Board.ID, Publishers.Async<BoardLog>>
  private let histories = Mutex<[Board.ID: History<Batch, Position>]>([:])
  private let isClosing = CurrentValueSubject<Bool, Never>(false)
  private let isUnbounded: Bool
  private let willReadHistory: @Sendable () -> Void

  init(
    store: Store, feed: any Feed, clock: some Clock<Duration> = .continuous,
    gathering: Duration = .milliseconds(20), isUnbounded: Bool = false, logger: Logger,
    willReadHistory: @escaping @Sendable () -> Void = {},
    willMakeSnapshot: @escaping @Sendable () -> Void = {},
    observer: (@Sendable (Board.ID) -> any SharingObserver)? = nil
  ) {
    self.store = store
    self.feed = feed
    snapshots = SharedSnapshots(store: store, willMake: willMakeSnapshot)
    self.isUnbounded = isUnbounded
    self.willReadHistory = willReadHistory
    shares = SharedByKey(
      // A browser that was away for a moment costs no read. By a number alone: a replay with other limits is a cache
      // that need not be without a hole, so a loop with a history would not use it.
      replay: .last(256),
      disconnect: .whenIdle(for: Self.grace, clock: clock),
      // After a reset the next stream begins anew at once, also while a stream that stalls has yet to learn of it.
      restart: .afterFailure, observer: observer
    ) { [isClosing] board in
      BoardLog(
        board: board, start: store.head(of: board) ?? .none, store: store, feed: feed,
        isClosing: isClosing, gathering: gathering, logger: logger
      ).publisher
    }
  }

  /// The boards that are observed.
  var observed: [Board.ID] { shares.keys }

  /// Returns the log of a board behind a position, each entry once, and then what is live.
  ///
  /// The board must have been looked up in the store by ``Store/find(_:)`` or ``Store/snapshot(of:)`` before.
  ///
  /// A stream that does not take its batches loses them from its backlog, and then gets from the store what its items
  /// are by then. So it conflates, its ids ascend, and no other stream notices.
  func events(
    of board: Board.ID, after position: Position, label: String
  ) -> SplicedDeliveries<Batch, Position, BoardReset> {
    shares[board].joining(
      after: position, from: history(of: board),
      backlog: isUnbounded ? nil : .size(64, whenFull: .dropOldest), label: label)
  }

  /// Ends all event streams, each behind what is in the log now.
  func close() { isClosing.value = true }

  /// Streams that come back at the same time share their reads, so there is one history for a board.
  private func history(of board: Board.ID) -> History<Batch, Position> {
    histories.withLock { histories in
      if let history = histories[board] { return history }
      let history = History(by: \Batch.last) { [store, willReadHistory] range in
        willReadHistory()
        return StoredBatches(board: board, range: range, store: store)
      }
      histories[board] = history
      return history
    }
  }
}

extension Position {
  /// A position that no log has.
  static let none = Position(epoch: Epoch(milliseconds: 0, salt: 0), entry: .zero)
}

/// The stored entries of a range, each as a batch of its own, so that a loop can count them (H2).
struct StoredBatches: AsyncSequence, Sendable {
  typealias Element = Batch
  typealias Failure = any Error

  let board: Board.ID
  let range: HistoryRange<Position>
  let store: Store

  func makeAsyncIterator() -> Iterator { Iterator(batches: self, last: range.after) }

  struct Iterator: AsyncIteratorProtocol {
    private let batches: StoredBatches
    private var last: Position?
    private var page: ArraySlice<Update> = []
    private var isWhole = false

    fileprivate init(batches: StoredBatches, last: Position?) {
      self.batches = batches
      self.last = last
    }

    mutating func next() async throws -> Batch? {
      if page.isEmpty, !isWhole {
        guard let last else { throw HistoryGap<Position>() }
        page = try await batches.store.updates(of: batches.board, after: last, limit: 256)[...]
        isWhole = page.count < 256
      }
      guard let update = page.popFirst() else { return nil }
      last = update.position
      if let end = batches.range.before, update.position >= end { return nil }
      return Batch([update])
    }
  }
}

@available(*, unavailable)
extension StoredBatches.Iterator: Sendable {}
