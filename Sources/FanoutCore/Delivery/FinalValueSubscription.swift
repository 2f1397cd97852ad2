package import FanoutEngine

/// The subscription of an operator that ends with a value of its own, which waits until it is asked
/// for, and is delivered by whoever comes last: the thread that has it or the one that asks.
@usableFromInline
package class FinalValueSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  /// The value and its demand as far as they have come, guarded by a lock.
  package struct State {
    var isAsked = false
    var isCancelled = false
    /// Whether the value was delivered or is not wanted any more.
    var isTaken = false
    /// The value, while it waits for demand.
    package var held: (downstream: Downstream, value: Downstream.Input)?
  }

  package let state = Lock(State())

  @usableFromInline
  package override init(_ body: Body, name: StaticString?) {
    super.init(body, name: name)
  }

  /// The value may wait for demand and then be delivered by the thread that asks.
  @usableFromInline package final override var passesGuard: Bool { false }

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

  /// Delivers the value and the completion as soon as the subscriber has asked; called once, when
  /// the upstream has been let go.
  @usableFromInline
  package final func offer(_ value: Downstream.Input, to downstream: Downstream) {
    let isWantedNow = state.withLock { state in
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
