// `@unchecked Sendable` invariant: the state is reached only under the lock; one test's threads use
// what they read of it in an order that the test's gates make.

internal import FanoutEngine

/// A value that any thread may read and change.
package final class Shared<Value>: @unchecked Sendable {
  private let state: Lock<Value>

  /// Makes a shared value.
  package init(_ value: Value) { state = Lock(value) }

  /// The value.
  package var value: Value {
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

  /// Changes the value under the lock.
  package func change<Result>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { body(&$0) }
  }
}

extension Shared where Value == Int {
  /// Adds one and returns the sum.
  @discardableResult
  package func increment() -> Int {
    change { value in
      value += 1
      return value
    }
  }
}
