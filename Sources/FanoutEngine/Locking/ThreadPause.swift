#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The pauses of a thread that looks again and again for what another thread is about to do, and gives up after a time.
enum ThreadPause: Sendable {
  /// The number of attempts, which take about a second in all.
  static var count: Int { 1100 }
  /// The number of the first attempts, which take a moment only.
  static var yieldCount: Int { 100 }

  /// Waits before the next attempt: first for other threads that are ready to run, and then for a millisecond.
  static func pause(_ attempt: Int) {
    #if FANOUT_EXPLORER
      SchedulePoint.pause()
    #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      if attempt < yieldCount { sched_yield() } else { usleep(1000) }
    #endif
  }
}
