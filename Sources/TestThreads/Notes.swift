import Foundation

/// A list that any thread may append to.
public final class Notes<Element: Sendable>: @unchecked Sendable {
  // Invariant: `elements` is reached only under `lock`.
  private let lock = NSLock()
  private var elements: [Element] = []

  /// Makes an empty list.
  public init() {}

  /// Appends an element.
  public func append(_ element: Element) { lock.withLock { elements.append(element) } }

  /// Every element so far.
  public var all: [Element] { lock.withLock { elements } }

  /// How many there are.
  public var count: Int { lock.withLock { elements.count } }
}

/// A value that any thread may read and change.
public final class Shared<Value>: @unchecked Sendable {
  // Invariant: `state` is reached only under `lock`; what is read is used by one test's threads in
  // an order that its gates make.
  private let lock = NSLock()
  private var state: Value

  /// Makes a shared value.
  public init(_ value: Value) { state = value }

  /// The value.
  public var value: Value {
    get { lock.withLock { state } }
    set {
      let old = lock.withLock {
        let old = state
        state = newValue
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Changes the value, alone.
  public func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&state) }
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
  private let lock = NSLock()

  /// Makes a lock that is free.
  public init() {}

  /// Runs a closure alone.
  ///
  /// Returns false, without running it, if the lock cannot be had for so long that something hangs.
  @discardableResult
  public func hold(_ body: () -> Void) -> Bool {
    guard lock.lock(before: Date(timeIntervalSinceNow: 60)) else { return false }
    defer { lock.unlock() }
    body()
    return true
  }
}
