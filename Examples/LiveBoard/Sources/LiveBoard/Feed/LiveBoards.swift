import Fanout
import Foundation
import Logging

/// The boards that are watched: one log for each, which its event streams share.
final class LiveBoards: Sendable {
  /// The time for which a board stays observed when its last event stream has gone.
  static let grace = Duration.seconds(5)

  let store: Store
  let feed: any Feed
  let snapshots: SharedSnapshots
  private let shares: SharedByKey<Board.ID, Publishers.Async<BoardLog>>
  private let histories: HistoryByKey<Board.ID, Batch, Position>
  private let isClosing = CurrentValueSubject<Bool, Never>(false)
  private let isUnbounded: Bool
  private let mostWatched: Int

  init(
    store: Store, feed: any Feed, clock: some Clock<Duration> = .continuous,
    gathering: Duration = .milliseconds(20), isUnbounded: Bool = false, logger: Logger,
    snapshots: SharedSnapshots, mostWatched: Int = .max,
    willReadHistory: @escaping @Sendable () -> Void = {},
    observer: (@Sendable (Board.ID) -> any SharingObserver)? = nil
  ) {
    self.store = store
    self.feed = feed
    self.snapshots = snapshots
    self.isUnbounded = isUnbounded
    self.mostWatched = mostWatched
    histories = HistoryByKey { board in
      History(by: \Batch.last, isConflated: true) { range in
        willReadHistory()
        return StoredBatches(board: board, range: range, store: store)
      }
    }
    shares = SharedByKey(
      // A browser that was away for a moment costs no read.
      replay: .last(256),
      disconnect: .whenIdle(for: Self.grace, clock: clock),
      // After a reset the next stream begins anew at once, also while a stream that stalls has yet to learn of it.
      restart: .afterFailure, observer: observer
    ) { [isClosing] board in
      BoardLog(
        board: board, start: store.head(of: board) ?? .none, store: store, feed: feed,
        isClosing: isClosing, gathering: gathering, logger: logger)
    }
  }

  /// Whether a board may be watched: each one that is takes resources of the engine.
  func canWatch(_ board: Board.ID) -> Bool {
    let observed = observed
    return observed.count < mostWatched || observed.contains(board)
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
      after: position, from: histories[board],
      backlog: isUnbounded ? nil : .size(64, whenFull: .dropOldest), label: label)
  }

  /// Notes that boards are used at a time, for this process and others.
  func use(_ boards: [Board.ID], at time: Date = Date()) async throws {
    try await store.use(boards, at: time)
    try await feed.use(boards)
  }

  /// Ends all event streams, each behind what is in the log now.
  func close() { isClosing.value = true }
}

extension Position {
  /// A position that no log has.
  static let none = Position(epoch: Epoch(milliseconds: 0, salt: 0), entry: .zero)
}

/// The newest change of each item in a range, each as a batch of its own.
///
/// Not more in one: a read is shared by loops whose live values begin at different positions, and a loop takes a batch
/// as a whole or not at all.
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
