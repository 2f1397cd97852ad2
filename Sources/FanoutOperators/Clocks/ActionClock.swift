package import FanoutCore

/// A clock that runs actions itself, as a test's clock does, whose time moves only by hand.
///
/// A ``ClockScheduler`` gives its actions to such a clock, and lets tasks sleep on any other.
package protocol ActionClock<Instant>: Clock where Duration == Swift.Duration {
  /// Runs an action.
  ///
  /// - Parameters:
  ///   - instant: The time of the first run, or nil for the next opportunity.
  ///   - interval: The time between two runs, or nil to run once.
  ///   - action: The closure to run.
  /// - Returns: A cancellable that removes the action; its release does nothing.
  func run(
    at instant: Instant?, every interval: Duration?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable
}
