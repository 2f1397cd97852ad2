// `@unchecked Sendable` invariant: the state is reached only under the lock; what is read of it is
// used by one test's threads in an order that its gates make.

import FanoutEngine

/// A value that any thread may read and change.
public final class Shared<Value>: @unchecked Sendable {
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
