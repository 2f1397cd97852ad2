// Invariant of `controller`, which is `nonisolated(unsafe)`: it is set once, before the first explored
// thread starts, and only read after that.

#if FANOUT_EXPLORER
  /// Decides which thread goes on, wherever one touches something shared.
  public protocol ScheduleController: Sendable {
    /// Names something that may come to be shared, by the thread that makes it.
    func makeIdentity() -> Int

    /// Called before each access, by any thread.
    func reach(_ identity: Int, writes: Bool)

    /// Called by a thread that has found a lock taken; returns when it is worth another try, or
    /// false if the thread is not an explored one.
    func wait(forLock identity: Int) -> Bool

    /// Called by any thread after it has unlocked.
    func unlocked(_ identity: Int)
  }

  /// The place where an explorer of interleavings is asked who goes on.
  ///
  /// It exists only in builds with `FANOUT_EXPLORER` defined.
  public enum SchedulePoint {
    /// Who decides.
    nonisolated(unsafe) public static var controller: (any ScheduleController)?

    /// The identity of what is always taken to be shared.
    public static var everywhere: Int { 0 }

    /// Lets the explorer, if there is one, run other threads first.
    public static func reach(_ identity: Int = everywhere, writes: Bool = true) {
      controller?.reach(identity, writes: writes)
    }

    @usableFromInline
    static func wait(forLock identity: Int) -> Bool {
      controller?.wait(forLock: identity) ?? false
    }

    @usableFromInline
    static func unlocked(_ identity: Int) { controller?.unlocked(identity) }

    @usableFromInline
    static func makeIdentity() -> Int { controller?.makeIdentity() ?? everywhere }
  }
#endif
