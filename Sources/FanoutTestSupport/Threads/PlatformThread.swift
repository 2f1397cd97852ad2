// Invariants of the pointers: the closure of a thread is retained for it, and the thread alone
// takes it over; the attributes are made and destroyed within the one call that uses them.

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(WinSDK)
  internal import Dispatch
  internal import WinSDK
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// Starts a detached thread.
  ///
  /// - Parameters:
  ///   - stackSize: The size of the stack in bytes; the system's choice if nil.
  ///   - body: The closure to run.
  package func startThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(body)).toOpaque()
    // Not made by its initialiser, which on Linux belongs to the first module that imported it.
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
    precondition(
      failure == 0,
      "A thread cannot be started: error \(failure). Use fewer threads, or a smaller stack.")
  }

  /// Returns a number that distinguishes the threads alive at the same time.
  package func thisThread() -> UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  /// Gives other threads a turn.
  package func yieldThread() { sched_yield() }

  private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      guard let raw else { return nil }
      // The closure is released when it has returned, before the thread ends.
      Unmanaged<ThreadStart>.fromOpaque(raw).takeRetainedValue().body()
      return nil
    }
  }
#elseif canImport(WinSDK)
  /// Starts a detached thread, with a stack of the system's size.
  package func startThread(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    // While it runs, a serial queue has a thread for itself.
    DispatchQueue(label: "Fanout.thread").async(execute: body)
  }

  /// Returns a number that distinguishes the threads alive at the same time.
  package func thisThread() -> UInt { UInt(GetCurrentThreadId()) }

  /// Gives other threads a turn.
  package func yieldThread() { SwitchToThread() }
#else
  /// Returns a number that distinguishes the threads alive at the same time: here there is one.
  package func thisThread() -> UInt { 1 }

  /// Does nothing: there are no other threads.
  package func yieldThread() {}
#endif
