internal import FanoutEngine

/// An executor that runs the jobs of its tasks when it is told to: so a test knows that a task waits.
public final class HandRunExecutor: TaskExecutor {
  private let jobs = Lock<[UnownedJob]>([])

  /// Creates an executor without jobs.
  public init() {}

  /// The number of jobs that wait.
  public var count: Int { jobs.withLock { $0.count } }

  /// Adds a job, which waits.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs all jobs, also those that come meanwhile, until every task of this executor waits or has ended.
  public func runAll() {
    while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
