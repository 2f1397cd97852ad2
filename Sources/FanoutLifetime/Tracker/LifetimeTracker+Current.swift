internal import FanoutEngine

extension LifetimeTracker {
  /// The tracker of this task, or of this thread if it runs no task; nil if there is none.
  ///
  /// Child tasks and `Task { }` inherit their parent's tracker. `Task.detached` and a Dispatch
  /// queue have none: pass the tracker on, and make it current there with ``perform(_:)``.
  public static var current: LifetimeTracker? {
    CreationWatch.observer as? LifetimeTracker
  }

  /// Runs an operation with this tracker as the current one.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutLifetime
  ///
  /// let tracker = LifetimeTracker()
  /// let taps = PassthroughSubject<Int, Never>()
  /// let watching = tracker.perform { taps.sink { _ in } }
  /// print(tracker.liveObjects)
  /// watching.cancel()
  /// // Prints:
  /// // AnyCancellable: 1, Sink: 1
  /// ```
  ///
  /// - Parameter operation: The operation, which runs at once on this thread.
  /// - Returns: The operation's result.
  public func perform<Result>(_ operation: () throws -> Result) rethrows -> Result {
    try CreationWatch.watching(self, operation)
  }

  /// Runs an asynchronous operation with this tracker as the current one.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the operation runs, by default the caller's.
  ///   - operation: The operation, which runs in this task.
  /// - Returns: The operation's result.
  public func perform<Result>(
    isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Result
  ) async rethrows -> Result {
    try await CreationWatch.watching(self, isolation: isolation, operation)
  }
}
