// Unsafe pointer: invariant: a thread's mark is memory of its own, from the first use until the
// thread ends; only that thread reaches it.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A mark of the current thread.
enum ThreadMark: Sendable {
  /// An even number, not 0, that distinguishes the threads alive at the same time; 0 where there is
  /// none.
  static var number: UInt { UInt(bitPattern: current) }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private static let key = {
      var key = pthread_key_t()
      let failure = pthread_key_create(&key) { free($0) }
      trap(unless: failure == 0, "There is no room for a thread-local value: error \(failure).")
      return key
    }()

    /// Whether the thread is marked.
    static var isSet: Bool {
      pthread_getspecific(key)?.assumingMemoryBound(to: Bool.self).pointee ?? false
    }

    /// The mark, for as long as the thread runs.
    ///
    /// Setting it through the pointer costs less than two calls that set a thread-local value.
    static var current: UnsafeMutablePointer<Bool>? {
      let key = key
      if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Bool.self) }
      return make(key)
    }

    @inline(never)
    private static func make(_ key: pthread_key_t) -> UnsafeMutablePointer<Bool>? {
      guard let memory = calloc(1, MemoryLayout<Bool>.size) else { return nil }
      pthread_setspecific(key, memory)
      return memory.bindMemory(to: Bool.self, capacity: 1)
    }
  #else
    static var isSet: Bool { false }
    static var current: UnsafeMutablePointer<Bool>? { nil }
  #endif
}

/// The pauses of a thread that looks again and again for what another thread is about to do, and
/// gives up after a time.
enum ThreadPause: Sendable {
  /// The number of attempts, which take about a second in all.
  static var count: Int { 1100 }
  /// The number of the first attempts, which take a moment only.
  static var yieldCount: Int { 100 }

  /// Waits before the next attempt: first for other threads that are ready to run, and then for a
  /// millisecond.
  static func pause(_ attempt: Int) {
    #if FANOUT_EXPLORER
      SchedulePoint.controller?.pause()
    #elseif canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
      if attempt < yieldCount { sched_yield() } else { usleep(1000) }
    #endif
  }
}
