public import Dispatch

/// How long a test waits for something that must happen, before it is taken to hang.
///
/// No test depends on how long anything takes; this only turns a hang into a failure.
public let patience = DispatchTimeInterval.seconds(120)

/// A door that is opened once, and that threads wait at.
public struct Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// Makes a closed gate.
  public init() {}

  /// Lets everybody through, now and later.
  public func open() { semaphore.signal() }

  /// Waits until the gate is open.
  ///
  /// Returns false if that takes so long that something hangs.
  @discardableResult
  public func wait(atMost time: DispatchTimeInterval = patience) -> Bool {
    guard semaphore.wait(timeout: .now() + time) == .success else { return false }
    semaphore.signal()
    return true
  }

  /// Whether the gate is open.
  public var isOpen: Bool {
    guard semaphore.wait(timeout: .now()) == .success else { return false }
    semaphore.signal()
    return true
  }
}

/// A thread that runs a closure and can be waited for.
public struct TestThread: Sendable {
  private let done = Gate()

  /// Starts a thread.
  public init(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let done = done
    // Let go of before the thread counts as joined, so that nothing outlives the test unseen.
    let body = Shared<(@Sendable () -> Void)?>(body)
    startThread(stackSize: stackSize) {
      body.value?()
      body.value = nil
      done.open()
    }
  }

  /// Waits for the closure's end.
  ///
  /// Returns false if it takes so long that something hangs.
  public func join(atMost time: DispatchTimeInterval = patience) -> Bool {
    done.wait(atMost: time)
  }
}

/// Runs closures on threads of their own, all released at once.
///
/// Returns false if any hangs.
public func race(_ bodies: [@Sendable () -> Void]) -> Bool {
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
public func race(_ bodies: (@Sendable () -> Void)...) -> Bool { race(bodies) }

/// Runs a closure on a thread of its own.
///
/// Returns false if it hangs.
public func finishes(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) -> Bool {
  TestThread(stackSize: stackSize, body).join()
}
