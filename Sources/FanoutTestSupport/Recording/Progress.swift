internal import FanoutEngine

/// The progress of a recording, and the tasks that wait for more of it.
///
/// It knows nothing of values, so that a waiting task may be on any thread.
final class Progress: Sendable {
  enum Goal: Sendable {
    case values(Int)
    case end
  }

  private struct State {
    var valueCount = 0
    var isEnded = false
    var isCancelled = false
    var waiting: [(goal: Goal, wait: Wait)] = []

    func outcome(of goal: Goal) -> Wait.Outcome? {
      switch goal {
      case .values(let count) where valueCount >= count: .reached
      case .end where isEnded: .reached
      default: isEnded ? .ended : isCancelled ? .cancelled : nil
      }
    }
  }

  private let state = Lock(State())

  func addValue() { change { $0.valueCount += 1 } }
  func end() { change { $0.isEnded = true } }
  func cancel() { change { $0.isCancelled = true } }

  /// Waits until the goal is reached or becomes impossible, the time is over, or the task is
  /// cancelled.
  nonisolated(nonsending) func wait(for goal: Goal, atMost limit: Duration) async -> Wait.Outcome {
    let wait = Wait()
    if let outcome = add(wait, for: goal) { return outcome }
    let outcome = await wait.value(within: limit)
    state.withLock { state in state.waiting.removeAll { $0.wait === wait } }
    return outcome
  }

  private func add(_ wait: Wait, for goal: Goal) -> Wait.Outcome? {
    state.withLock { state in
      let outcome = state.outcome(of: goal)
      if outcome == nil { state.waiting.append((goal, wait)) }
      return outcome
    }
  }

  private func change(_ body: (inout State) -> Void) {
    let over = state.withLock { state in
      body(&state)
      return state.waiting.compactMap { goal, wait in
        state.outcome(of: goal).map { (wait, $0) }
      }
    }
    for (wait, outcome) in over { wait.end(outcome) }
  }
}
