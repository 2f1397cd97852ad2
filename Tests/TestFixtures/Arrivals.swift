internal import TestThreads

/// A counter of events, for tests that wait for them without blocking a thread.
package final class Arrivals: Sendable {
  package init() {}

  private struct State {
    var count = 0
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Shared(State())

  package var count: Int { state.value.count }

  /// Counts one more event.
  package func arrive() {
    let ready = state.change { state in
      state.count += 1
      let ready = state.waiting.filter { $0.count <= state.count }
      state.waiting.removeAll { $0.count <= state.count }
      return ready
    }
    for waiting in ready { waiting.continuation.resume() }
  }

  /// Waits until the event has happened `count` times.
  package func wait(for count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isReached = state.change { state in
        if state.count < count { state.waiting.append((count, continuation)) }
        return state.count >= count
      }
      if isReached { continuation.resume() }
    }
  }
}

/// A counter of the workers that are busy, now and at most.
package final class Occupancy: Sendable {
  package init() {}

  private let state = Shared((now: 0, most: 0))

  package var now: Int { state.value.now }
  package var most: Int { state.value.most }

  package func enter() {
    state.change { state in
      state.now += 1
      state.most = max(state.most, state.now)
    }
  }

  package func leave() { state.change { $0.now -= 1 } }
}
