// Invariant: the state is reached only under its lock; the counter inside is called outside it.

package import FanoutEngine

/// A counter that lets the connection begin when a number of subscribers have come.
///
/// The counter inside counts all of them as one, from that moment until the last has left.
package final class ThresholdCounter: SubscriberCounter {
  package struct State {
    var subscribers = 0
    /// Whether the counter inside counts the subscribers.
    var isCounted = false
    var sawEnd = false
  }

  package let state = Lock(State())
  package let inner: SubscriberCounter
  let threshold: Int

  init(_ inner: SubscriberCounter, threshold: Int) {
    self.inner = inner
    self.threshold = threshold
    super.init()
  }

  package override func enter() -> AnyObject? {
    let isDue = state.withLock { state in
      state.subscribers += 1
      return state.isCounted || state.subscribers >= threshold
    }
    guard isDue else { return nil }
    // Each enters, so that each opens the connection before it joins; one of them stays for all.
    let connection = inner.enter()
    let isSurplus = state.withLock { state in
      defer { state.isCounted = true }
      return state.isCounted
    }
    if isSurplus { inner.leave(atEnd: false) }
    return connection
  }

  package override func start(_ connection: AnyObject) { inner.start(connection) }

  package override func leave(atEnd: Bool) {
    let (isLast, sawEnd) = state.withLock { state in
      state.subscribers -= 1
      if atEnd { state.sawEnd = true }
      guard state.subscribers == 0 else { return (false, false) }
      defer { (state.isCounted, state.sawEnd) = (false, false) }
      return (state.isCounted, state.sawEnd)
    }
    if isLast { inner.leave(atEnd: sawEnd) }
  }
}
