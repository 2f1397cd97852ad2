// `@unchecked Sendable` invariant: as the explorer's, to which it belongs: only the one thread that
// runs uses it, or the exploring thread between two runs.

#if FANOUT_EXPLORER
  import FanoutEngine
  import Synchronization

  /// A finder of the objects that several threads touch and at least one writes; only there order
  /// can matter.
  ///
  /// If a schedule shows a conflict that was not known, all schedules run again. So at the end
  /// every schedule was run with every conflict known.
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
    /// Whether a new conflict was found.
    var hasLearned = false

    /// Forgets every conflict, for another scenario.
    func begin() { known = [] }

    /// Prepares a run, whose objects get the same names as in the one before.
    func beginRun() {
      madeOutside.store(0, ordering: .relaxed)
      (made, uses) = ([:], [:])
    }

    func makeIdentity(by thread: Int?) -> Int {
      guard let thread else { return madeOutside.wrappingAdd(1, ordering: .relaxed).newValue }
      made[thread, default: 0] += 1
      return (thread + 1) * Self.mostPerThread + made[thread, default: 0]
    }

    /// Records an access, and returns whether it is part of a conflict.
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
