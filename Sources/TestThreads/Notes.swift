import Dispatch
import FanoutEngine

/// A list that any thread may append to.
public final class Notes<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  /// Makes an empty list.
  public init() {}

  /// Appends an element.
  public func append(_ element: Element) { elements.withLock { $0.append(element) } }

  /// Every element so far.
  public var all: [Element] { elements.withLock { $0 } }

  /// How many there are.
  public var count: Int { all.count }
}

/// A value that any thread may read and change.
public final class Shared<Value>: @unchecked Sendable {
  // Invariant: what is read is used by one test's threads in an order that its gates make.
  private let state: Lock<Value>

  /// Makes a shared value.
  public init(_ value: Value) { state = Lock(value) }

  /// The value.
  public var value: Value {
    get { state.withLock { $0 } }
    set {
      let old = state.withLock { state in
        let old = state
        state = newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Changes the value, alone.
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}

extension Shared where Value == Int {
  /// Adds one and returns the sum.
  @discardableResult
  public func increment() -> Int {
    change { value in
      value += 1
      return value
    }
  }
}

/// A lock of the user's, that a test takes inside of subscribers and around sends.
public final class UserLock: Sendable {
  private let lock = DispatchSemaphore(value: 1)

  /// Makes a lock that is free.
  public init() {}

  /// Runs a closure alone.
  ///
  /// Returns false, without running it, if the lock cannot be had for so long that something hangs.
  @discardableResult
  public func hold(_ body: () -> Void) -> Bool {
    guard lock.wait(timeout: .now() + patience) == .success else { return false }
    defer { lock.signal() }
    body()
    return true
  }
}
