package import FanoutTestSupport

/// A clock of a user's own, on which only tasks can sleep, with the time of a test scheduler.
package struct SleepingClock: Clock {
  package let hand: TestScheduler

  package init(_ hand: TestScheduler) { self.hand = hand }

  package var now: TestScheduler.Instant { hand.now }
  package var minimumResolution: Duration { hand.minimumResolution }

  package func sleep(until deadline: TestScheduler.Instant, tolerance: Duration?) async throws {
    try await hand.sleep(until: deadline, tolerance: tolerance)
  }
}

extension TestScheduler {
  /// Waits until no task sleeps: behind a cancel, a task that still arranges its sleep ends it itself.
  package nonisolated(nonsending) func waitForNoSleepers() async {
    while sleeperCount > 0 { await Task.yield() }
  }
}
