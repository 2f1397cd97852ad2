// `nonisolated(unsafe)`: invariant: the task writes the result before it signals, and the thread reads
// it after it has waited for that.

import Dispatch

/// Runs an asynchronous closure in a task, and waits for its result.
///
/// The closure runs on the calling thread until it suspends for the first time. So what a loop that
/// never suspends allocates is counted with what the thread allocates. A Mac before macOS 26 has no
/// such tasks, and allocations are not counted there.
func runToEnd<Result: Sendable>(_ operation: @escaping @Sendable () async -> Result) -> Result {
  let ended = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: Result?
  let body: @Sendable () async -> Void = {
    result = await operation()
    ended.signal()
  }
  if #available(macOS 26, *) {
    Task.immediate(operation: body)
  } else {
    Task(operation: body)
  }
  ended.wait()
  guard let result else { preconditionFailure("The task signalled before it had a result.") }
  return result
}

/// Transforms of a value that are awaited, for every side the same.
enum Transform {
  typealias Closure = @Sendable (Int) async -> Int

  static let returnsAtOnce: Closure = { $0 }

  static let yieldsOnce: Closure = { number in
    await Task.yield()
    return number
  }
}
