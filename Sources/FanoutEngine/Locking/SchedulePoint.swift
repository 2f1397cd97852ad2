#if FANOUT_EXPLORER
  import Synchronization

  /// Decides which thread goes on, wherever one touches something shared.
  public protocol ScheduleController: Sendable {
    /// Called before each access to something shared, by any thread.
    func reach()

    /// Called by a thread that has found a lock taken; returns when it is worth another try, or
    /// false if the thread is not an explored one.
    func wait(forLock lock: Int) -> Bool

    /// Called by any thread after it has unlocked.
    func unlocked(_ lock: Int)
  }

  /// The place where an explorer of interleavings is asked who goes on.
  ///
  /// It exists only in builds with `FANOUT_EXPLORER` defined.
  public enum SchedulePoint {
    // Set before the first explored thread starts, and never again.
    nonisolated(unsafe) public static var controller: (any ScheduleController)?
    private static let identities = Atomic<Int>(0)

    /// Lets the explorer, if there is one, run other threads first.
    public static func reach() { controller?.reach() }

    @usableFromInline
    static func wait(forLock lock: Int) -> Bool { controller?.wait(forLock: lock) ?? false }

    @usableFromInline
    static func unlocked(_ lock: Int) { controller?.unlocked(lock) }

    @usableFromInline
    static func makeIdentity() -> Int { identities.wrappingAdd(1, ordering: .relaxed).newValue }
  }
#endif
