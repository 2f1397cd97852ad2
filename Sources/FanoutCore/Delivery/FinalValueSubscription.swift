// Invariant: `held`, marked `@exclusivity(unchecked)`, is reached only under the lock of `state`.

package import FanoutEngine

/// How far the value of an operator that ends with one has come.
///
/// It is not generic, nor a part of a generic type: code that is not specialised would look its type up at each use.
package struct FinalValueState: Sendable {
  var isRequested = false
  var isCancelled = false
  /// Whether the value was delivered, or the subscription was cancelled.
  var isTaken = false
  /// Whether the value waits for demand.
  var isHeld = false

  /// Notes that the subscriber can take the value; returns whether it waits.
  mutating func ask() -> Bool {
    isRequested = true
    if isHeld { isTaken = true }
    return isHeld
  }

  /// Notes a cancel; returns whether the value waits.
  mutating func cancel() -> Bool {
    isCancelled = true
    isTaken = true
    return isHeld
  }
}

/// The subscription of an operator that ends with a value of its own.
///
/// The value waits until the subscriber requests it. The later of two threads delivers it: the one
/// that has the value, or the one that requests it.
@usableFromInline
package class FinalValueSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  package let state = Lock(FinalValueState())
  /// The value, while it waits for demand.
  @exclusivity(unchecked)
  package final var held: (downstream: Downstream, value: Downstream.Input)?

  /// False: the value may wait for demand, and is then delivered by the thread that requests it.
  package final override var passesGuard: Bool { false }

  package final override func request(_ credit: Credit) {
    if credit != .none { didRequest(credit) }
  }

  /// Runs at each request of the subscriber.
  package func didRequest(_ credit: Credit) { ask() }

  /// Notes that the subscriber can take the value, and delivers it if it is there.
  @usableFromInline
  package final func ask() {
    if state.withLock({ $0.ask() }) { deliverHeld() }
  }

  /// Delivers the value that waits, unless another thread has taken it.
  @inline(never)
  private func deliverHeld() {
    if let (downstream, value) = takeHeld() { deliver(value, to: downstream) }
  }

  private func takeHeld() -> (downstream: Downstream, value: Downstream.Input)? {
    state.withLock { state in
      defer { held = nil }
      state.isHeld = false
      return held
    }
  }

  @inline(never)
  private func releaseHeld() { withExtendedLifetime(takeHeld()) {} }

  /// Delivers the value and the completion as soon as the subscriber has requested them.
  ///
  /// It is called once, after the upstream has been released. `isRequested` states that earlier demand
  /// is left for the value.
  package final func offer(
    _ value: Downstream.Input, to downstream: Downstream, isRequested: Bool = false
  ) {
    let isWantedNow = state.withLock { state in
      if isRequested { state.isRequested = true }
      guard !state.isTaken else { return false }
      if state.isRequested {
        state.isTaken = true
      } else {
        held = (downstream, value)
        state.isHeld = true
      }
      return state.isRequested
    }
    if isWantedNow { deliver(value, to: downstream) }
  }

  package final override func willCancel() {
    if state.withLock({ $0.cancel() }) { releaseHeld() }
  }

  final func deliver(_ value: Downstream.Input, to downstream: Downstream) {
    _ = downstream.receive(value)
    guard !state.withLock({ $0.isCancelled }) else { return }
    downstream.receive(completion: .finished)
  }
}
