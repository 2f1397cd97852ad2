import Foundation
import Logging
import ServiceLifecycle

/// The removal of boards that are empty and not watched.
///
/// Without it boards that were made and left would fill the list for ever.
struct UnusedBoards: Service {
  let boards: LiveBoards
  /// The time for which a board stays.
  let time: Duration
  let instruments: Instruments
  let logger: Logger

  private var interval: Duration { min(time / 24, .seconds(3_600)) }

  func run() async throws {
    try? await cancelWhenGracefulShutdown {
      while true {
        do { try await remove(at: Date()) } catch let error as CancellationError {
          throw error
        } catch {
          logger.warning("Unused boards stay for now: \(error)")
        }
        // More often than a process with Redis forgets that another one watches a board.
        try await Task.sleep(for: interval)
      }
    }
  }

  /// Removes the boards that have been unused for long enough at a time.
  func remove(at now: Date) async throws {
    try await boards.use(boards.observed, at: now)
    // A board counts as used when its first stream comes, and here. So what was watched between two
    // looks is noticed at the latest when a look's time has passed.
    let since = now.addingTimeInterval(-((time + interval) / .seconds(1)))
    for board in try await boards.store.unused(since: since)
    where !boards.observed.contains(board) {
      guard try await boards.feed.remove(board, unusedSince: since) else { continue }
      instruments.boardsRemoved.increment()
      logger.notice("Board \(board) is removed: it is empty, and was not watched for \(time).")
    }
  }
}
