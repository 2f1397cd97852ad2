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
