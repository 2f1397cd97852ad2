public import Fanout

extension Recorder {
  /// Waits for a number of values, counted from the beginning.
  ///
  /// It is resumed by the value that it waits for, and returns at once if that has come.
  ///
  /// - Parameters:
  ///   - count: How many, zero or more; traps if it is negative.
  ///   - limit: How long it waits at most, in real time. With a ``TestScheduler`` no time is needed:
  ///     advance it, and give zero.
  /// - Returns: The first so many values, also if more have come.
  /// - Throws: ``RecordingError`` if they don't come, as soon as that is certain;
  ///   `CancellationError` if the task is cancelled.
  public nonisolated(nonsending) func waitForValues(
    _ count: Int, within limit: Duration = .seconds(10)
  ) async throws -> [Input] {
    guard count >= 0 else { fatalError("Recorder: there can't be \(count) values") }
    try await wait(for: .values(count), "\(count) values", within: limit)
    return Array(values.prefix(count))
  }

  /// Waits for the terminal.
  ///
  /// It is resumed by the terminal, and returns at once if that has come.
  ///
  /// - Parameter limit: How long it waits at most, in real time.
  /// - Returns: The terminal; a failure is returned, not thrown.
  /// - Throws: ``RecordingError`` if it does not come, as soon as that is certain;
  ///   `CancellationError` if the task is cancelled.
  @discardableResult
  public nonisolated(nonsending) func waitForEnd(
    within limit: Duration = .seconds(10)
  ) async throws -> Subscribers.Completion<Failure> {
    try await wait(for: .end, "the end", within: limit)
    // It is there: what is waited for is recorded before the wait ends.
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
