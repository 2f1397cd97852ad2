/// Why a ``Recorder`` did not get what was expected of it.
///
/// Its description says what was expected, what came instead, and everything that was recorded.
public struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of it.
  public enum Reason: Sendable {
    /// It did not come within the time limit.
    case tooLate
    /// It can't come any more, because the publisher ended.
    case ended
    /// It can't come any more, because the recorder was cancelled.
    case cancelled
    /// Something else was recorded.
    case different
  }

  /// Which kind it is.
  public let reason: Reason

  /// What was expected, what came instead, and everything that was recorded.
  public let description: String
}
