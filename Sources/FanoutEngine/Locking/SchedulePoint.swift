// Invariant of `controller` and `taskExecutor`, which are `nonisolated(unsafe)`: they are set once,
// before the first explored thread starts, and only read after that.

#if FANOUT_EXPLORER
  /// A controller that chooses the thread to run at each access to shared memory.
  public protocol ScheduleController: Sendable {
    /// Returns an identity for memory that may become shared; called by the thread that creates it.
    func makeIdentity() -> Int

    /// Called by any thread before each access.
    func reach(_ identity: Int, writes: Bool)

    /// Called by a thread that found a lock taken. Returns true when the thread should try again,
    /// and false if the thread is not explored.
    func wait(forLock identity: Int) -> Bool

    /// Called by a thread that waits in a loop for another one, before it tries again.
    func pause()

    /// Called by any thread that has taken a lock.
    func locked(_ identity: Int)

    /// Called by any thread after it unlocks.
    func unlocked(_ identity: Int)

    /// Called with each source that is made.
    func watch(_ source: any WakingSource)
  }

  /// A source that threads leave work to, so that none may be left when no thread runs any more
  /// (D18).
  public protocol WakingSource: AnyObject {
    /// The work that can be done and is not done, if no thread runs any more; nil if there is none.
    var unserved: String? { get }
  }

  /// A point at which an explorer of interleavings may switch threads.
  ///
  /// It exists only in builds with `FANOUT_EXPLORER` defined.
  public enum SchedulePoint {
    /// The controller, if an explorer runs.
    nonisolated(unsafe) public static var controller: (any ScheduleController)?

    /// The executor of the tasks that the calling thread starts, if that is an explored one.
    nonisolated(unsafe) public static var taskExecutor: @Sendable () -> (any TaskExecutor)? = {
      nil
    }

    /// The identity of memory that always counts as shared.
    public static var everywhere: Int { 0 }

    /// Lets the explorer, if there is one, run other threads first.
    public static func reach(_ identity: Int = everywhere, writes: Bool = true) {
      controller?.reach(identity, writes: writes)
    }
  }
#endif
