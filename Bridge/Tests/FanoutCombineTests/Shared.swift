// `@unchecked Sendable` invariant: the value is reached under the lock only.

import Dispatch

/// A value that any thread may read and change.
final class Shared<Value>: @unchecked Sendable {
  private var kept: Value
  private let lock = DispatchSemaphore(value: 1)

  init(_ value: Value) { kept = value }

  var value: Value {
    get { change { $0 } }
    set { change { $0 = newValue } }
  }

  @discardableResult
  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.wait()
    defer { lock.signal() }
    return body(&kept)
  }
}

extension Shared<Int> {
  /// Adds one, and returns the new number.
  @discardableResult
  func increment() -> Int {
    change { number in
      number += 1
      return number
    }
  }
}
