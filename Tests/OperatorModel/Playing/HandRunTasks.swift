// `@unchecked Sendable` invariant: only the thread that made it adds and runs jobs, and finds it by
// a pointer that this thread alone has, from `init` to `leave()`; its owner retains it until then.
// Unsafe: the hook of Swift's runtime is a global variable of the runtime's, which is set once,
// before the first task that it must see starts.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// An executor of one thread's tasks that runs on command: the jobs of all tasks that the thread
/// starts or resumes wait here.
final class HandRunTasks: SerialExecutor, @unchecked Sendable {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private static let install: Void = {
    guard let symbol = dlsym(dlopen(nil, RTLD_LAZY), "swift_task_enqueueGlobal_hook") else {
      fatalError(
        "Swift's runtime has no swift_task_enqueueGlobal_hook. Use a toolchain whose runtime has it."
      )
    }
    symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
      if let tasks = HandRunTasks.ofThisThread { tasks.enqueue(job) } else { original(job) }
    }
  }()

  // Not a table behind a lock, because Thread Sanitizer takes a contended `Mutex` for a race.
  private static let key = {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else {
      fatalError("No thread-local key is left. Use fewer keys in this process.")
    }
    return key
  }()
  private static var ofThisThread: HandRunTasks? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  private var jobs: [UnownedJob] = []

  /// Takes over the tasks of this thread.
  init() {
    Self.install
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
  }

  var isEmpty: Bool { jobs.isEmpty }

  /// Runs every job in order, also new ones; each task continues until it waits.
  func runAll() {
    while !jobs.isEmpty {
      let job = jobs.removeFirst()
      job.runSynchronously(on: asUnownedSerialExecutor())
      // A task that only changes executors does not wait, and continues as the same job.
      if let index = jobs.firstIndex(where: { Self.isSame($0, job) }) {
        jobs.insert(jobs.remove(at: index), at: 0)
      }
    }
  }

  private static func isSame(_ one: UnownedJob, _ two: UnownedJob) -> Bool {
    unsafeBitCast(one, to: UInt.self) == unsafeBitCast(two, to: UInt.self)
  }

  /// Returns the tasks of this thread to the runtime.
  func leave() { pthread_setspecific(Self.key, nil) }

  func enqueue(_ job: UnownedJob) { jobs.append(job) }
  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }
}
