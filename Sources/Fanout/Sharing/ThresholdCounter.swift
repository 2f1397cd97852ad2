// Invariant: the state is reached only under its lock; the counter inside is called outside it.

package import FanoutEngine

/// A counter that lets the connection begin when a number of subscribers have come.
///
/// The counter inside does not know of them before that.
@usableFromInline
package final class ThresholdCounter: SubscriberCounter {
  package struct State {
    var subscribers = 0
    /// Whether all subscribers are counted in by the counter inside.
    var isReached = false
  }

  package let state = Lock(State())
  package let inner: SubscriberCounter
  let threshold: Int

  init(_ inner: SubscriberCounter, threshold: Int) {
    self.inner = inner
    self.threshold = threshold
    super.init()
  }

  package override var replayingSubject: AnyObject? { inner.replayingSubject }

  package override func enter() -> AnyObject? {
    let entering = state.withLock { state -> Int in
      state.subscribers += 1
      if state.isReached { return 1 }
      guard state.subscribers >= threshold else { return 0 }
      state.isReached = true
      return state.subscribers
    }
    var connection: AnyObject?
    for _ in 0..<entering { connection = inner.enter() }
    return connection
  }

  package override func start(_ connection: AnyObject) { inner.start(connection) }

  package override func leave(atEnd: Bool) {
    let isCounted = state.withLock { state in
      defer { if state.subscribers == 0 { state.isReached = false } }
      state.subscribers -= 1
      return state.isReached
    }
    if isCounted { inner.leave(atEnd: atEnd) }
  }
}

@available(*, unavailable)
extension ThresholdCounter.State: Sendable {}
