/// One call that a subscriber received, and when.
public struct TimedEvent<Input, Failure: Error> {
  /// The call.
  public let event: RecordedEvent<Input, Failure>

  /// When it came, or nil if nobody looked at a clock.
  public let time: TestScheduler.SchedulerTimeType?

  /// Makes a record of a call.
  ///
  /// - Parameters:
  ///   - event: The call.
  ///   - time: When it came, or nil if that is not known.
  public init(
    _ event: RecordedEvent<Input, Failure>, at time: TestScheduler.SchedulerTimeType?
  ) {
    self.event = event
    self.time = time
  }
}

extension TimedEvent: Equatable where Input: Equatable, Failure: Equatable {}
extension TimedEvent: Sendable where Input: Sendable {}

extension TimedEvent: CustomStringConvertible {
  /// The time, if it is known, and the call.
  public var description: String { time.map { "\($0): \(event)" } ?? "\(event)" }
}
