// `@unchecked Sendable` invariant: of the explored threads one runs at a time, and no other thread
// reaches the jobs. Invariant of `current`, which is `nonisolated(unsafe)`: scenarios are explored
// one at a time, and only threads inside of `here` read it.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestThreads
  import TestFixtures
  import Testing

  /// An executor that runs tasks on explored threads, from one suspension to the next.
  ///
  /// A task that may be inside of a cancellation handler is cancelled by `cancel` alone: the runtime holds a lock while
  /// it calls one, of which the explorer does not know.
  final class ExploredTasks: TaskExecutor, @unchecked Sendable {
    private static let isHere = ThreadLocalNumber()
    nonisolated(unsafe) private static var current: ExploredTasks?
    private static let hook: Void = {
      SchedulePoint.taskExecutor = { isHere.number == nil ? nil : current }
    }()

    private var jobs: [UnownedJob] = []

    init() {
      Self.hook
      Self.current = self
    }

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    /// Runs `body`; the tasks that Fanout starts in it run on explored threads.
    func here<Result>(_ body: () -> Result) -> Result {
      let outer = Self.isHere.number
      Self.isHere.number = 0
      defer { Self.isHere.number = outer }
      return body()
    }

    /// Cancels a task, in one step.
    func cancel(_ task: Task<Void, Never>) { Explorer.shared.inOneStep { here { task.cancel() } } }

    /// The body of a thread that runs up to a number of jobs, as far as there are any.
    func runner(_ count: Int) -> @Sendable () -> Void {
      { self.here { for _ in 0..<count { self.runOne() } } }
    }

    /// Runs everything that is left.
    func runAll() { here { while !jobs.isEmpty { runOne() } } }

    private func runOne() {
      SchedulePoint.reach()
      guard !jobs.isEmpty else { return }
      jobs.removeFirst().runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Work in tasks, of which it is known whether it overlaps, and whether it heeds a cancel.
  final class ExploredWork: @unchecked Sendable {
    private var now = 0
    private(set) var most = 0
    private(set) var begun: [Int] = []
    private(set) var ended: [Int] = []
    fileprivate(set) var problems: [String] = []
    /// Set when `cancel()` has returned.
    var isCancelled = false

    func handle(_ value: Int) async {
      if isCancelled { problems.append("\(value) began after the cancel") }
      begun.append(value)
      now += 1
      most = max(most, now)
      SchedulePoint.reach()
      await Task.yield()
      SchedulePoint.reach()
      await expectCancel("\(value)")
      now -= 1
      ended.append(value)
    }
  }

  extension ExploredWork {
    /// Notes a problem if its task is not cancelled though the cancel has returned: at once, or by the
    /// thread that was delivering.
    func expectCancel(_ name: String) async {
      for _ in 0..<50 where isCancelled && !Task.isCancelled { await Task.yield() }
      if isCancelled, !Task.isCancelled { problems.append("\(name) was not cancelled") }
    }
  }
#endif
