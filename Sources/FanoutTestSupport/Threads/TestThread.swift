// Where there is no Dispatch, as on WASI, there are no other threads either.

#if canImport(Dispatch)
  package import Dispatch
  internal import FanoutEngine

  /// The time that a test waits for something that must happen, before the wait counts as a hang.
  ///
  /// No test depends on a duration; this limit only turns a hang into a failure. It is long,
  /// because a sanitizer on a busy machine makes everything tens of times slower.
  package let patience = DispatchTimeInterval.seconds(900)

  /// A gate that opens once and that threads wait at.
  package struct Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Makes a closed gate.
    package init() {}

    /// Lets every thread through, now and later.
    package func open() { semaphore.signal() }

    /// Waits until the gate is open.
    ///
    /// Returns false if the wait counts as a hang.
    @discardableResult
    package func wait(atMost time: DispatchTimeInterval = patience) -> Bool {
      guard semaphore.wait(timeout: .now() + time) == .success else { return false }
      semaphore.signal()
      return true
    }

    /// Whether the gate is open.
    package var isOpen: Bool {
      guard semaphore.wait(timeout: .now()) == .success else { return false }
      semaphore.signal()
      return true
    }
  }

  /// A thread that runs a closure and can be joined.
  package struct TestThread: Sendable {
    private let done = Gate()

    /// Starts a thread.
    package init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
      let done = done
      // Released before the thread counts as joined, so that nothing outlives the test unseen.
      let body = Shared<(@Sendable () -> Void)?>(body)
      startThread(stackSize: stackSize) {
        // When a test has joined its threads, no task may still deliver what one of them has left.
        Handover.$visit.withValue(.seconds(3600)) { body.value?() }
        body.value = nil
        done.open()
      }
    }

    /// Waits until the closure has returned.
    ///
    /// Returns false if the wait counts as a hang.
    package func join(atMost time: DispatchTimeInterval = patience) -> Bool {
      done.wait(atMost: time)
    }
  }

  /// Runs closures on threads of their own, all released at once.
  ///
  /// Returns false if any hangs.
  package func race(_ bodies: [@Sendable () -> Void]) -> Bool {
    let ready = DispatchGroup()
    let start = Gate()
    let threads = bodies.map { body in
      ready.enter()
      return TestThread {
        ready.leave()
        start.wait()
        body()
      }
    }
    guard ready.wait(timeout: .now() + patience) == .success else { return false }
    start.open()
    return threads.allSatisfy { $0.join() }
  }

  /// Runs closures on threads of their own, all released at once.
  ///
  /// Returns false if any hangs.
  package func race(_ bodies: (@Sendable () -> Void)...) -> Bool { race(bodies) }

  /// Runs a closure on a thread of its own and waits for it.
  ///
  /// Returns false if it hangs.
  package func finishes(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
    TestThread(stackSize: stackSize, body).join()
  }
#endif
