/// The error of a test scheduler that had run so many actions that there seems to be no end.
///
/// Most often something repeats at an interval and nobody cancels it. ``TestScheduler/advance(by:)``
/// goes on for a given time only.
public struct EndlessRun: Error, Equatable, Sendable, CustomStringConvertible {
  /// How many actions were run.
  public let actions: Int

  /// Which moment had come.
  public let time: TestScheduler.SchedulerTimeType

  /// What happened and what can be done.
  public var description: String {
    """
    TestScheduler.run() has run \(actions) actions, it is tick \(time), and there is more to do. \
    Cancel what repeats, or use advance(by:) to go on for a given time.
    """
  }
}
