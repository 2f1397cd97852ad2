/// One call that a subscriber received, and its time.
public struct TimedEvent<Input, Failure: Error> {
  /// The call.
  public let event: RecordedEvent<Input, Failure>

  /// The time of the call, or nil without a clock.
  public let time: TestScheduler.SchedulerTimeType?

  /// Makes a record of a call.
  ///
  /// - Parameters:
  ///   - event: The call.
  ///   - time: The time of the call, or nil if it is not known.
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
