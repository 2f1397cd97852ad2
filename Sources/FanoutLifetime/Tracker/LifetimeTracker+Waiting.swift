extension LifetimeTracker {
  /// Waits until every tracked object is released, from another thread or when a task has ended.
  ///
  /// It checks repeatedly, and lets other tasks run in between. A cancelled task checks once more
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
  /// - Parameter limit: The longest time to wait.
  /// - Returns: The objects still alive at the end; none if they were released in time.
  public func waitForRelease(within limit: Duration) async -> [Survivor] {
    await Self.poll(within: limit) { survivors().isEmpty }
    return survivors()
  }

  /// Evaluates a condition repeatedly until it is true or the time is over.
  package static func poll(within limit: Duration, until isDone: () -> Bool) async {
    let clock = ContinuousClock()
    let end = clock.now + limit
    var looks = 0
    while !isDone(), clock.now < end, !Task.isCancelled {
      looks += 1
      // Ready tasks go first; waiting for a thread or a clock needs no hot loop.
      if looks < 100 {
        await Task.yield()
      } else {
        try? await clock.sleep(for: .milliseconds(1))
      }
    }
  }
}
