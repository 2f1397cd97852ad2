public import Fanout
internal import FanoutEngine

extension Recorder {
  /// Waits for a number of values, counted from the beginning.
  ///
  /// The awaited value resumes the wait; if it has already come, the method returns at once.
  ///
  /// - Parameters:
  ///   - count: The number of values, zero or more; traps if it is negative.
  ///   - limit: The longest wait, in real time. With a ``TestScheduler`` no time is needed: advance
  ///     it, and pass zero.
  /// - Returns: The first `count` values, even if more have come.
  /// - Throws: ``RecordingError`` as soon as it is certain that the values will not come;
  ///   `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func waitForValues(
    _ count: Int, within limit: Duration = .seconds(10)
  ) async throws -> [Input] {
    trap(unless: count >= 0, "waitForValues(\(count)): a count cannot be negative; pass 0 or more.")
    try await wait(for: .values(count), count == 1 ? "1 value" : "\(count) values", within: limit)
    return Array(values.prefix(count))
  }

  /// Waits for the terminal.
  ///
  /// The terminal resumes the wait; if it has already come, the method returns at once.
  ///
  /// - Parameter limit: The longest wait, in real time.
  /// - Returns: The terminal; a failure is returned, not thrown.
  /// - Throws: ``RecordingError`` as soon as it is certain that the terminal will not come;
  ///   `CancellationError` if the task is cancelled.
  @discardableResult
  public nonisolated(nonsending) func waitForEnd(
    within limit: Duration = .seconds(10)
  ) async throws -> Subscribers.Completion<Failure> {
    try await wait(for: .end, "the end", within: limit)
    // The terminal is present: an event is recorded before the wait for it ends.
    guard let completion else { throw missing("the end", .different, "was not recorded") }
    return completion
  }

  private nonisolated(nonsending) func wait(
    for goal: Progress.Goal, _ name: String, within limit: Duration
  ) async throws {
    switch await progress.wait(for: goal, atMost: limit) {
    case .reached: return
    case .taskCancelled: throw CancellationError()
    case .tooLate: throw missing(name, .tooLate, "did not come within \(limit)")
    case .ended: throw missing(name, .ended, "can't come any more: the publisher has ended")
    case .cancelled:
      throw missing(name, .cancelled, "can't come any more: the recorder was cancelled")
    }
  }

  private func missing(
    _ name: String, _ reason: RecordingError.Reason, _ why: String
  ) -> RecordingError {
    let count = values.count
    let came = count == 1 ? "1 value came" : "\(count) values came"
    return RecordingError(
      reason: reason, description: "Expected \(name), which \(why). \(came).\n\(report)")
  }
}
