/// The reason why a ``Recorder`` did not record an expected event.
///
/// Its description contains the expected events, the events that came instead, and the whole
/// record.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of recording errors.
  public enum Reason: Sendable {
    /// The event did not come within the time limit.
    case tooLate
    /// The event can't come any more, because the publisher ended.
    case ended
    /// The event can't come any more, because the recorder was cancelled.
    case cancelled
    /// The record differs from the expected one.
    case different
  }

  /// The kind of the error.
  public let reason: Reason

  /// The expected events, the events that came instead, and the whole record.
  public let description: String
}
