import TestThreads

/// Counts what has happened, for tests that wait for it without blocking a thread.
final class Arrivals: Sendable {
  private struct State {
    var count = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Shared(State())

  var count: Int { state.value.count }

  /// Says that it has happened once more.
  func arrive() {
    let ready = state.change { state in
      state.count += 1
      let ready = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return ready
    }
    for waiting in ready { waiting.continuation.resume() }
  }

  /// Waits until it has happened that often.
  func wait(for count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReached = state.change { state in
        if state.count < count { state.waiting.append((count, continuation)) }
        return state.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}

/// How many are at work, and how many were at most.
final class Occupancy: Sendable {
  private let state = Shared((now: 0, most: 0))

  var now: Int { state.value.now }
  var most: Int { state.value.most }

  func enter() {
    state.change { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
  }

  func leave() { state.change { $0.now -= 1 } }
}
