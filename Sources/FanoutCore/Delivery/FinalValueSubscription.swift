// Invariant: `held`, marked `@exclusivity(unchecked)`, is reached only under the lock of `state`.

package import FanoutEngine

/// How far the value of an operator that ends with one has come.
///
/// It is not generic, nor a part of a generic type: code that is not specialised would look its
/// type up at each use.
package struct FinalValueState: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  static var requested: Self { Self(rawValue: 1) }
  static var cancelled: Self { Self(rawValue: 2) }
  /// The value was delivered, or the subscription was cancelled.
  static var taken: Self { Self(rawValue: 4) }
  /// The value waits for demand.
  static var held: Self { Self(rawValue: 8) }

  /// Notes that the subscriber can take the value; returns whether it waits.
  mutating func ask() -> Bool {
    formUnion(.requested)
    if contains(.held) { formUnion(.taken) }
    return contains(.held)
  }

  /// Notes a cancel; returns whether the value waits.
  mutating func cancel() -> Bool {
    formUnion([.cancelled, .taken])
    return contains(.held)
  }
}

/// A value that waits for demand, and the subscriber that it is for.
package final class HeldValue<Downstream: Subscriber> {
  package let downstream: Downstream
  package let value: Downstream.Input

  init(_ value: Downstream.Input, for downstream: Downstream) {
    (self.downstream, self.value) = (downstream, value)
    noteCreation(of: self, isPart: true)
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
  /// The value, while it waits for demand.
  @exclusivity(unchecked) package final var held: HeldValue<Downstream>?
  package let state = Lock(FinalValueState([]))

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
    if let held = takeHeld() { deliver(held.value, to: held.downstream) }
  }

  private func takeHeld() -> HeldValue<Downstream>? {
    state.withLock { state in
      defer { held = nil }
      state.subtract(.held)
      return held
    }
  }

  @inline(never)
  private func releaseHeld() { withExtendedLifetime(takeHeld()) {} }

  /// Delivers the value and the completion as soon as the subscriber has requested them.
  ///
  /// It is called once, after the upstream has been released. `isRequested` states that earlier
  /// demand is left for the value.
  package final func offer(
    _ value: Downstream.Input, to downstream: Downstream, isRequested: Bool = false
  ) {
    let isWantedNow = state.withLock { state in
      if isRequested { state.formUnion(.requested) }
      guard !state.contains(.taken) else { return false }
      if state.contains(.requested) {
        state.formUnion(.taken)
      } else {
        held = HeldValue(value, for: downstream)
        state.formUnion(.held)
      }
      return state.contains(.requested)
    }
    if isWantedNow { deliver(value, to: downstream) }
  }

  package final override func willCancel() {
    if state.withLock({ $0.cancel() }) { releaseHeld() }
  }

  final func deliver(_ value: Downstream.Input, to downstream: Downstream) {
    _ = downstream.receive(value)
    guard !state.withLock({ $0.contains(.cancelled) }) else { return }
    downstream.receive(completion: .finished)
  }
}
