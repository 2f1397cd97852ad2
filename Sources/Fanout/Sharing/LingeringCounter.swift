// Invariant: the state is reached only under its lock; the counter inside and the timer are called
// outside it.

package import FanoutEngine

/// A counter that keeps the connection when the last subscriber has left: for a while, or until it
/// is released.
///
/// It counts itself in with the first subscriber, so that for the counter inside there is always
/// one.
package final class LingeringCounter: SubscriberCounter, Expiring {
  package struct State {
    var subscribers = 0
    /// Whether this counter is counted in itself.
    var isKeeping = false
    /// The number of times that a subscriber came or left: the end of an earlier time does nothing.
    var epoch = 0
  }

  package let state = Lock(State())
  package let inner: SubscriberCounter
  /// The time without a subscriber after which this counter leaves, or nil if it leaves when it is
  /// released.
  package let timer: ExpiryTimer?

  init(_ inner: SubscriberCounter, timer: ExpiryTimer?) {
    self.inner = inner
    self.timer = timer
    super.init()
  }

  deinit {
    // The subscribers retain this counter, so that none is left.
    if state.withLock({ $0.isKeeping }) { inner.leave(atEnd: false) }
  }

  package override func enter() -> AnyObject? {
    // Before this counter looks at its own state: another first subscriber may leave meanwhile, and
    // must not be the last one for the counter inside.
    let connection = inner.enter()
    let isFirst = state.withLock { state in
      defer { state.isKeeping = true }
      state.subscribers += 1
      state.epoch += 1
      return !state.isKeeping
    }
    if isFirst { inner.keep(for: self) }
    return connection
  }

  package override func start(_ connection: AnyObject) { inner.start(connection) }

  package override func leave(atEnd: Bool) {
    inner.leave(atEnd: atEnd)
    let (isLast, epoch) = state.withLock { state in
      state.subscribers -= 1
      state.epoch += 1
      return (state.subscribers == 0, state.epoch)
    }
    guard isLast else { return }
    // After the end of the upstream there is nothing to keep. The end may also be the subscriber's
    // own.
    if inner.hasEnded { return expire(epoch) }
    timer?.begin(epoch, for: self)
  }

  /// Leaves if there is no subscriber: after the end of the upstream there is nothing to keep.
  func connectionEnded() {
    let idle = state.withLock { $0.subscribers == 0 ? $0.epoch : nil }
    if let idle { expire(idle) }
  }

  /// Leaves, if no subscriber has come since.
  package func expire(_ epoch: Int) {
    let isOver = state.withLock { state in
      guard state.epoch == epoch, state.isKeeping else { return false }
      state.isKeeping = false
      return true
    }
    if isOver { inner.leave(atEnd: inner.hasEnded) }
  }
}
