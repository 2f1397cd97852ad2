// Unsafe pointer: invariant: a thread's mark is memory of its own, from the first use until the thread ends; only
// that thread reaches it.
// A closure that is handed over reaches only the state of the drain that goes with it, so one thread at a
// time runs it.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A limit to the deliveries that a `for await` loop makes when it subscribes, requests or cancels.
///
/// If no thread delivers at that moment, the loop's thread becomes the holder of a drain, and
/// delivers as long as other threads bring values. Without a limit the loop might never begin its
/// first turn, and cancelling its task would have no effect. So a thread that is inside `limit(_:)`
/// passes the drain on to a task after a number of deliveries.
///
/// A thread that took the drain with a value of its own does not pass it on: when the outermost
/// `send` returns, everything is delivered (D3).
public enum BoundedDelivery: Sendable {
  /// The number of deliveries after which a thread checks whether it is limited; a power of two.
  public static var count: Int { 128 }

  /// Runs `body`, and limits the deliveries that it makes for others on this thread.
  @inlinable
  public static func limit<Result>(_ body: () -> Result) -> Result {
    let mark = setMark()
    defer { mark?.pointee = false }
    return body()
  }

  /// Marks this thread as limited; returns the mark, unless the thread is marked already.
  @usableFromInline
  static func setMark() -> UnsafeMutablePointer<Bool>? {
    guard let mark = ThreadMark.current, !mark.pointee else { return nil }
    mark.pointee = true
    return mark
  }

  /// Whether the deliveries of this thread are limited.
  public static var isLimiting: Bool { ThreadMark.isSet }

  /// Starts a task that continues the deliveries if this thread is limited; returns whether it did.
  ///
  /// The caller must hold the drain that `goOn` works on. If this returns true, the task holds it.
  public static func handOver(_ goOn: @escaping () -> Void) -> Bool {
    guard ThreadMark.isSet else { return false }
    startLimitedTask(goOn)
    return true
  }

  /// Starts a task whose deliveries are limited, so that deliveries without end take turns with other tasks.
  public static func startLimitedTask(_ body: @escaping () -> Void) {
    _ = startTask { limit(body) }
  }
}

/// A mark of the current thread.
enum ThreadMark: Sendable {
  /// An even number, not 0, that distinguishes the threads alive at the same time; 0 where there is none.
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
