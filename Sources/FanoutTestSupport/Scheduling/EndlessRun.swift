/// An error of a test scheduler that has run its limit of actions, and has not finished.
///
/// The usual cause is a repetition that is never cancelled. ``TestScheduler/advance(by:)`` runs for
/// a given time only.
public struct EndlessRun: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number of actions that were run.
  public let actions: Int

  /// The moment that time had reached.
  public let time: TestScheduler.SchedulerTimeType

  /// The problem and its remedies.
  public var description: String {
    """
    TestScheduler.run() has run \(actions) actions, it is tick \(time), and there is more to do. \
    Cancel the repetition, or use advance(by:) to run for a given time.
    """
  }
}
