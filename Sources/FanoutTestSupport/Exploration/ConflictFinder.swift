// `@unchecked Sendable` invariant: as the explorer's, to which it belongs: used by the one thread that
// runs, or between two runs.

#if FANOUT_EXPLORER
  import FanoutEngine
  import Synchronization

  /// Finds out what several threads touch and at least one writes: only there an order can matter.
  ///
  /// What it has not seen yet it sees in some schedule; then all are run again. So at the end every
  /// schedule was run with every conflict known.
  final class ConflictFinder: @unchecked Sendable {
    private struct Use {
      var threads: Set<Int> = []
      var isWritten = false
    }

    private static let mostPerThread = 1_000_000
    private let madeOutside = Atomic<Int>(0)
    private var made: [Int: Int] = [:]
    private var uses: [Int: Use] = [:]
    private var known: Set<Int> = []
    /// Whether a conflict was met with that was not known.
    var hasLearned = false

    /// Forgets everything, for another scenario.
    func begin() { known = [] }

    /// Makes ready for a run, whose objects get the same names as in the one before.
    func beginRun() {
      madeOutside.store(0, ordering: .relaxed)
      (made, uses) = ([:], [:])
    }

    func makeIdentity(by thread: Int?) -> Int {
      guard let thread else { return madeOutside.wrappingAdd(1, ordering: .relaxed).newValue }
      made[thread, default: 0] += 1
      return (thread + 1) * Self.mostPerThread + made[thread, default: 0]
    }

    /// Notes an access and says whether it is one of a conflict.
    func mayMatter(_ identity: Int, to thread: Int, writes: Bool) -> Bool {
      if identity == SchedulePoint.everywhere || known.contains(identity) { return true }
      var use = uses[identity] ?? Use()
      use.threads.insert(thread)
      use.isWritten = use.isWritten || writes
      uses[identity] = use
      guard use.threads.count > 1, use.isWritten else { return false }
      known.insert(identity)
      hasLearned = true
      return true
    }
  }
#endif
