// Invariants of the pointers: what a thread starts with is retained for it and taken over by it alone;
// the attributes are made and destroyed within the one call that uses them.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Starts a thread that nobody joins.
///
/// - Parameters:
///   - stackSize: In bytes; the system's own choice if nil.
///   - body: What it runs.
public func startThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
  let start = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
  // Not made by its initialiser, which on Linux belongs to whichever module imported it first.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  pthread_attr_init(attributes)
  defer { pthread_attr_destroy(attributes) }
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  if let stackSize { pthread_attr_setstacksize(attributes, stackSize) }
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let failure = pthread_create(&thread, attributes, { ThreadStart.run($0) }, start)
  precondition(failure == 0, "A thread cannot be started: error \(failure).")
}

/// Tells the threads apart that are alive at the same time.
public func thisThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// Says to running threads that others should have a turn.
public func yieldThread() { sched_yield() }

private final class ThreadStart: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let raw else { return nil }
    // The closure is let go of when it has returned, before the thread ends.
    Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().body()
    return nil
  }
}
