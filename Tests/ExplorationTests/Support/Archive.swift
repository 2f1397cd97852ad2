// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Fanout
  import FanoutEngine
  import FanoutLifetime
  import FanoutTestSupport
  import TestFixtures

  /// A value that a store keeps and a stream sends.
  final class StoredRow: Sendable {
    let id: Int
    init(_ id: Int) { self.id = id }
  }

  /// A store and a stream of the same values, and the history of the store.
  final class Archive: @unchecked Sendable {
    typealias Backlogs = Backlog<StoredRow, NumberedError>

    let tasks = ExploredTasks()
    /// The error of the reads that come behind `failsBehind`, as long as there are `failures`.
    var failure: (any Error)?
    var failsBehind = 0
    var failures = Int.max
    /// Whether the store says that it does not know an id behind all of its own.
    var knowsIDs = false
    private(set) var readCount = 0
    /// The number of reads whose task was cancelled.
    private(set) var cancelCount = 0
    private var stream: Broadcast<StoredRow, NumberedError>?
    private var history: History<StoredRow, Int>?
    private let rows = Lock<[StoredRow]>([])
    private var forgotten: Set<Int> = []
    private var sent: [Int] = []
    private var held: [OneShot<Void>]?
    private var watched: [(name: String, object: WeakReference)] = []

    init(_ replay: Replay<StoredRow>) {
      stream = Broadcast(replay: replay)
      history = History(by: \.id) { [unowned self] range in
        readCount += 1
        let rows = rows.withLock { $0 }
        if knowsIDs, let after = range.after, after > rows.last?.id ?? 0 { throw HistoryGap<Int>() }
        return StoredRows(self, rows.filter { range.contains($0.id) })
      }
      watched = [("the stream", WeakReference(stream)), ("the history", WeakReference(history))]
    }

    /// Stores and sends rows.
    func post(_ ids: ClosedRange<Int>) {
      for id in ids {
        let row = StoredRow(id)
        watched.append(("\(id)", WeakReference(row)))
        if !forgotten.contains(id) { rows.withLock { $0.append(row) } }
        if tasks.here({ stream?.yield(row).isTerminated }) == false { sent.append(id) }
      }
    }

    /// Lets the store lose rows that come later.
    func forget(_ ids: ClosedRange<Int>) { forgotten = Set(ids) }

    func finish() { tasks.here { stream?.finish() } }

    /// Releases the stream and the history.
    func close() {
      tasks.here {
        stream = nil
        history = nil
      }
    }

    /// Lets each read wait before it gives a row.
    func hold() { held = [] }

    /// Lets reads that wait go on.
    func letGo() {
      let waiting = held ?? []
      held = nil
      tasks.here { for read in waiting { read.give(()) } }
    }

    /// Lets a loop take its place.
    func join(after id: Int?, backlog: Backlogs? = nil) -> SplicedLoop {
      guard let stream, let history else { fatalError("The archive is closed.") }
      let spliced = stream.values.joining(after: id, from: history, backlog: backlog)
      var iterator = tasks.here { spliced.makeAsyncIterator() }
      return SplicedLoop(after: id) { try await iterator.next(isolation: nil) }
    }

    /// Lets a loop over the stream alone take its place.
    func joinLive(after id: Int) -> SplicedLoop {
      guard let stream else { fatalError("The archive is closed.") }
      var iterator = tasks.here { stream.values.deliveries().makeAsyncIterator() }
      return SplicedLoop(after: id) { try await iterator.next(isolation: nil) }
    }

    /// Ends everything, and returns what is wrong then.
    ///
    /// - Parameters:
    ///   - loops: The loops, which take everything that is left.
    ///   - set: The closure that says what a loop may get.
    ///   - also: The closure that returns another problem, when all loops are over.
    /// - Returns: The first problem, or nil.
    func problem(
      _ loops: [SplicedLoop], _ set: (inout SpliceWalk.Terms) -> Void,
      also: () -> String? = { nil }
    ) -> String? {
      letGo()
      tasks.runAll()
      finish()
      tasks.runAll()
      var problems: [String] = []
      for (number, loop) in loops.enumerated() {
        var terms = SpliceWalk.Terms(after: loop.after, sent: sent)
        set(&terms)
        terms.isComplete = !loop.isCancelled
        let walk = SpliceWalk(loop.events, terms)
        if !loop.isOver { problems.append("loop \(number) is not over") }
        if !walk.problems.isEmpty {
          problems.append("loop \(number): \(walk.problems) in \(loop.events)")
        }
      }
      if let problem = also() { problems.append(problem) }
      close()
      // Without optimisation the rows live as long as their scope.
      do {
        let kept = rows.withLock { rows in
          defer { rows = [] }
          return rows
        }
        withExtendedLifetime(kept) {}
      }
      problems += watched.compactMap { $0.object.isAlive ? "\($0.name) is kept alive" : nil }
      return problems.nonEmptyText
    }

    /// Waits until the store gives the row behind an id; returns whether it is still asked for.
    fileprivate func goOn(behind id: Int) async throws -> Bool {
      SchedulePoint.reach()
      if held != nil {
        let turn = OneShot<Void>()
        held?.append(turn)
        await turn.wait(isolation: nil)
      }
      if Task.isCancelled {
        cancelCount += 1
        return false
      }
      guard let failure, id >= failsBehind, failures > 0 else { return true }
      failures -= 1
      throw failure
    }
  }

  /// The rows of a read, one for each turn of its task.
  private struct StoredRows: AsyncSequence, AsyncIteratorProtocol {
    private let archive: Archive
    private var rows: ArraySlice<StoredRow>
    private var last = 0

    init(_ archive: Archive, _ rows: [StoredRow]) {
      self.archive = archive
      self.rows = rows[...]
    }

    func makeAsyncIterator() -> Self { self }

    mutating func next() async throws -> StoredRow? {
      guard try await archive.goOn(behind: last), let row = rows.popFirst() else { return nil }
      last = row.id
      return row
    }
  }

  /// A loop over a history and a stream, whose turns tasks take, and which any thread may cancel.
  final class SplicedLoop: @unchecked Sendable {
    typealias Next = () async throws -> Delivery<StoredRow>?

    /// The id behind which it has joined.
    let after: Int?
    private(set) var events: [Delivery<Int>] = []
    private(set) var isOver = false
    private(set) var isCancelled = false
    private var next: Next?
    private var task: Task<Void, Never>?

    init(after: Int?, _ next: @escaping Next) {
      self.after = after
      self.next = next
    }

    /// Lets a task take everything.
    func start(in tasks: ExploredTasks) {
      nonisolated(unsafe) let next = next.take()
      task = Task(executorPreference: tasks) {
        while let event = try? await next?() { self.events.append(event.map(\.id)) }
        self.isOver = true
      }
    }

    func cancel(in tasks: ExploredTasks) {
      isCancelled = true
      if let task { tasks.cancel(task) }
    }
  }

  extension Delivery {
    func map<Other>(_ transform: (Value) -> Other) -> Delivery<Other> {
      switch self {
      case .replayed(let value): .replayed(transform(value))
      case .live(let value): .live(transform(value))
      case .caughtUp: .caughtUp
      case .missed(let count): .missed(count)
      }
    }
  }
#endif
