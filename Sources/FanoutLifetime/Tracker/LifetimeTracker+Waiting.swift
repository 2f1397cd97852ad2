extension LifetimeTracker {
  /// Waits until every tracked object is gone, for release that comes later: from another thread, or
  /// when a task has ended.
  ///
  /// It looks again and again, and lets other tasks run in between; a cancelled task looks once more
  /// and waits no longer.
  ///
  /// ```swift
  /// import FanoutLifetime
  ///
  /// final class Node: Sendable {}
  ///
  /// let tracker = LifetimeTracker()
  /// func start() {
  ///   let node = tracker.track(Node(), "node")
  ///   Task.detached { withExtendedLifetime(node) {} }
  /// }
  /// start()
  /// print(await tracker.waitForRelease(within: .seconds(5)))
  /// // Prints:
  /// // []
  /// ```
  ///
  /// - Parameter limit: How long to wait at most.
  /// - Returns: Who is still alive then; nobody, if that was soon enough.
  public func waitForRelease(within limit: Duration) async -> [Survivor] {
    await Self.poll(within: limit) { survivors().isEmpty }
    return survivors()
  }

  /// Asks until the answer is yes or the time is over.
  package static func poll(within limit: Duration, until isDone: () -> Bool) async {
    let clock = ContinuousClock()
    let end = clock.now + limit
    var looks = 0
    while !isDone(), clock.now < end, !Task.isCancelled {
      looks += 1
      // Tasks that are ready go first; what waits for a thread or a clock needs no hot loop.
      if looks < 100 {
        await Task.yield()
      } else {
        try? await clock.sleep(for: .milliseconds(1))
      }
    }
  }
}
