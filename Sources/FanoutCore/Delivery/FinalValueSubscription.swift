public import FanoutEngine

/// The subscription of an operator that ends with a value of its own.
///
/// The value waits until the subscriber requests it. The later of two threads delivers it: the one
/// that has the value, or the one that requests it.
@usableFromInline
package class FinalValueSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  /// The value and its demand, as far as both exist; guarded by a lock.
  package struct State {
    var isAsked = false
    var isCancelled = false
    /// Whether the value was delivered, or the subscription was cancelled.
    var isTaken = false
    /// The value, while it waits for demand.
    package var held: (downstream: Downstream, value: Downstream.Input)?
  }

  package let state = Lock(State())

  @usableFromInline
  package override init(_ body: Body, name: StaticString?) {
    super.init(body, name: name)
  }

  /// False: the value may wait for demand, and is then delivered by the thread that requests it.
  @usableFromInline package final override var passesGuard: Bool { false }

  @usableFromInline
  package final override func request(_ credit: Credit) {
    if credit != .none { didRequest(credit) }
  }

  /// Runs at each request of the subscriber.
  @usableFromInline package func didRequest(_ credit: Credit) { ask() }

  /// Notes that the subscriber can take the value, and delivers it if it is there.
  @usableFromInline
  package final func ask() {
    let held = state.withLock { state in
      state.isAsked = true
      defer { state.held = nil }
      if state.held != nil { state.isTaken = true }
      return state.held
    }
    if let (downstream, value) = held { deliver(value, to: downstream) }
  }

  /// Delivers the value and the completion as soon as the subscriber has requested them.
  ///
  /// It is called once, after the upstream has been released. `isAsked` states that earlier demand
  /// is left for the value.
  @usableFromInline
  package final func offer(
    _ value: Downstream.Input, to downstream: Downstream, isAsked: Bool = false
  ) {
    let isWantedNow = state.withLock { state in
      if isAsked { state.isAsked = true }
      guard !state.isTaken else { return false }
      if state.isAsked { state.isTaken = true } else { state.held = (downstream, value) }
      return state.isAsked
    }
    if isWantedNow { deliver(value, to: downstream) }
  }

  @usableFromInline
  package final override func willCancel() {
    let held = state.withLock { state in
      state.isCancelled = true
      state.isTaken = true
      defer { state.held = nil }
      return state.held
    }
    withExtendedLifetime(held) {}
  }

  final func deliver(_ value: Downstream.Input, to downstream: Downstream) {
    _ = downstream.receive(value)
    guard !state.withLock({ $0.isCancelled }) else { return }
    downstream.receive(completion: .finished)
  }
}

@available(*, unavailable)
extension FinalValueSubscription.State: Sendable {}
