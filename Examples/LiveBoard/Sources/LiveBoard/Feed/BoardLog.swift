import Fanout
import Foundation
import Logging

/// The log of a board is another one than before: its epoch has changed, or it is trimmed behind the reader.
struct BoardReset: Error {}

/// The log of a board behind a position, as it grows: the upstream that all event streams of the board share.
///
/// It is iterated while someone watches the board. It ends when the service closes, behind what is in the log then.
struct BoardLog: AsyncSequence, Sendable {
  typealias Element = Batch
  typealias Failure = BoardReset

  let board: Board.ID
  /// At most as far as any event stream that joins can be, so that there is no hole between its history and this.
  let start: Position
  let store: Store
  let feed: any Feed
  /// Whether the service closes.
  let isClosing: CurrentValueSubject<Bool, Never>
  /// The least time between two batches.
  ///
  /// What arrives in between is one batch, so a thousand streams write less often.
  let gathering: Duration
  let logger: Logger

  func makeAsyncIterator() -> Iterator { Iterator(log: self, position: start) }

  struct Iterator: AsyncIteratorProtocol {
    private let log: BoardLog
    private var position: Position
    private var watch: Watch?
    private var next = ContinuousClock.now

    fileprivate init(log: BoardLog, position: Position) {
      self.log = log
      self.position = position
    }

    /// A watched board.
    private struct Watch: Sendable {
      let wakes: AsyncStream<Void>
      let claims: [AnyCancellable]
    }

    mutating func next() async throws(BoardReset) -> Batch? { try await next(isolation: nil) }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(BoardReset) -> Batch? {
      while !Task.isCancelled {
        do {
          let watch = try await watched()
          // Asked before the read: what is written before the service closes is read.
          let isLast = log.isClosing.value
          let updates = try await log.store.updates(of: log.board, after: position, limit: 32)
          if let batch = Batch(updates) {
            position = batch.last
            log.store.note(position, of: log.board)
            next = .now + log.gathering
            return batch
          }
          if isLast { return nil }
          var wakes = watch.wakes.makeAsyncIterator()
          guard await wakes.next(isolation: actor) != nil else { return nil }
          if next > .now { try await Task.sleep(until: next) }
        } catch is HistoryGap<Position> {
          throw BoardReset()
        } catch is CancellationError {
          return nil
        } catch {
          log.logger.error("The log of \(log.board) cannot be read: \(error)")
          try? await Task.sleep(for: .seconds(1))
        }
      }
      return nil
    }

    private mutating func watched(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Watch {
      if let watch { return watch }
      let (wakes, wake) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      // Else the board could be removed as unused, here or by another process.
      try await log.store.use([log.board], at: Date())
      try? await log.feed.use([log.board])
      let arrivals = try await log.feed.watch(log.board) { wake.yield() }
      let closing = log.isClosing.sink { if $0 { wake.yield() } }
      let watch = Watch(wakes: wakes, claims: [arrivals, closing])
      self.watch = watch
      return watch
    }
  }
}

@available(*, unavailable)
extension BoardLog.Iterator: Sendable {}
