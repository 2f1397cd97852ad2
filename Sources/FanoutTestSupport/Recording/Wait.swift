internal import FanoutEngine

/// One waiting task, which the first outcome resumes.
final class Wait: Sendable {
  enum Outcome: Sendable {
    case reached
    case ended
    case cancelled
    case tooLate
    case taskCancelled
  }

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<Outcome, Never>?
  }

  private let state = Lock(State())

  func suspend(_ continuation: CheckedContinuation<Outcome, Never>) {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.continuation = continuation }
      return state.outcome
    }
    if let outcome { continuation.resume(returning: outcome) }
  }

  func end(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  /// Waits for the first outcome; the end of the time and a cancel of the task are outcomes too.
  nonisolated(nonsending) func value(within limit: Duration) async -> Outcome {
    let clock = Task.detached {
      do { try await Task.sleep(for: limit) } catch { return }
      self.end(.tooLate)
    }
    defer { clock.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { suspend($0) }
    } onCancel: {
      end(.taskCancelled)
    }
  }
}
