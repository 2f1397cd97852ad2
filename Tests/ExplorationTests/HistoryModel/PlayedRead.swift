// `@unchecked Sendable` invariant: a program runs on one thread.

#if FANOUT_EXPLORER
  import Fanout
  import FanoutEngine
  import TestFixtures

  /// A read that gives rows as a program says.
  final class PlayedRead: @unchecked Sendable {
    let range: HistoryRange<Int>
    /// The number of ids that were sent, and the newest one that was stored, when it began.
    let sentCount: Int
    let newest: Int
    private(set) var given = 0
    private(set) var last = Int.min
    private(set) var isOver = false
    private(set) var hasFailed = false
    /// Whether it has failed without saying where the store has values again.
    private(set) var hasFailedPlainly = false
    /// Whether it has failed because the store did not know the id behind which it began.
    private(set) var isOfUnknownID = false
    /// The id behind which the store has said that it has values again.
    private(set) var resumed: Int?
    private(set) var isCancelled = false
    private let rows: [Int]
    private var next = 0
    private var budget = 0
    private var failure: (any Error)?
    private var turn: OneShot<Void>?
    private let program: SpliceProgram

    init(_ range: HistoryRange<Int>, _ program: SpliceProgram, in world: SpliceWorld) {
      self.range = range
      self.program = program
      sentCount = world.sent.count
      newest = world.stored.last ?? .min
      rows = program.isFresh ? [] : world.stored.filter { $0 > world.forgotten }
    }

    func give(_ count: Int) {
      budget += count
      wake()
    }

    func fail() {
      failure = NumberedError(1)
      wake()
    }

    func end() { isOver = true }

    func wake() { turn.take()?.give(()) }

    func nextRow(in player: SplicePlayer) async throws -> StoredRow? {
      await withTaskCancellationHandler {
        while budget == 0, failure == nil, !isCancelled, !player.world.isOpen {
          let turn = OneShot<Void>()
          self.turn = turn
          await turn.wait(isolation: nil)
        }
      } onCancel: {
        isCancelled = true
        wake()
      }
      guard !isCancelled else { return nil }
      if let failure = failure ?? gap(in: player.world) {
        (isOver, hasFailed) = (true, true)
        let gap = failure as? HistoryGap<Int>
        resumed = gap?.resumingAfter
        hasFailedPlainly = resumed == nil
        // Where it is trimmed behind the id by now, it says that instead.
        isOfUnknownID = gap != nil && isUnknown && resumed.map { $0 < range.after ?? .min } ?? true
        throw failure
      }
      if budget > 0 { budget -= 1 }
      let source = program.isFresh ? player.world.stored : rows
      while next < source.count {
        let id = source[next]
        next += 1
        guard id > player.world.forgotten || !program.isFresh else { continue }
        // It gives more, but not all that is there.
        guard range.contains(id) || program.givesMore && id.isMultiple(of: 3) else { continue }
        given += 1
        last = id
        return StoredRow(id)
      }
      isOver = true
      return nil
    }

    /// Whether the store says that it does not know the id behind which the read begins.
    private var isUnknown: Bool {
      guard program.faults.contains(.knowsIDs), given == 0, let after = range.after else {
        return false
      }
      return after > newest
    }

    /// What the store says if it is not able to give what comes next.
    private func gap(in world: SpliceWorld) -> (any Error)? {
      guard given == 0 || program.isFresh else { return nil }
      if isUnknown, let after = range.after {
        guard program.faults.contains(.resumes) else { return HistoryGap<Int>() }
        return HistoryGap(resumingAfter: after.isMultiple(of: 2) ? newest : world.forgotten)
      }
      let place = max(range.after ?? .min, last)
      if place < world.forgotten { return HistoryGap(resumingAfter: world.forgotten) }
      return nil
    }
  }

  struct PlayedRows: AsyncSequence, AsyncIteratorProtocol {
    /// The iteration, which is over when nothing holds it any more.
    private final class Iteration: Sendable {
      let read: PlayedRead
      init(_ read: PlayedRead) { self.read = read }
      deinit { read.end() }
    }

    private let iteration: Iteration
    private let player: SplicePlayer

    init(_ read: PlayedRead, _ player: SplicePlayer) {
      iteration = Iteration(read)
      self.player = player
    }

    func makeAsyncIterator() -> Self { self }

    func next() async throws -> StoredRow? { try await iteration.read.nextRow(in: player) }
  }
#endif
