// Invariant: `held` is written once, before `state` says `hasValue`, and afterwards belongs to the one
// thread that sets `isTaken`.

internal import FanoutEngine
internal import Synchronization

/// The subscription of an operator that ends with a value of its own, which waits until it is asked
/// for, and is delivered by whoever comes last: the thread that has it or the one that asks.
@usableFromInline
class FinalValueSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  static var isAsked: UInt8 { 1 }
  static var hasValue: UInt8 { 2 }
  static var isTaken: UInt8 { 4 }
  static var isCancelled: UInt8 { 8 }
  static var isLookedAt: UInt8 { 16 }

  let state = AtomicValue<UInt8>(0)
  @exclusivity(unchecked) var held: (downstream: Downstream, value: Downstream.Input)?

  @usableFromInline
  override init(_ body: Body, name: StaticString?) {
    super.init(body, name: name)
  }

  /// The value may wait for demand and then be delivered by the thread that asks.
  @usableFromInline final override var passesGuard: Bool { false }

  /// Says that the subscriber can take the value, and delivers it if it is there.
  @usableFromInline
  final func ask() {
    if say(Self.isAsked) & Self.hasValue != 0 { deliverHeld() }
  }

  /// Delivers the value and the completion as soon as the subscriber has asked; called once, when
  /// the upstream has been let go.
  @usableFromInline
  final func offer(_ value: Downstream.Input, to downstream: Downstream) {
    held = (downstream, value)
    let said = say(Self.hasValue)
    if said & Self.isTaken != 0 {
      held = nil
    } else if said & Self.isAsked != 0 {
      deliverHeld()
    }
  }

  @usableFromInline
  final override func willCancel() {
    let said = say(Self.isTaken | Self.isCancelled)
    guard said & (Self.hasValue | Self.isTaken) == Self.hasValue else { return }
    awaitLook()
    held = nil
  }

  final func deliverHeld() {
    guard say(Self.isTaken) & Self.isTaken == 0 else { return }
    awaitLook()
    guard let (downstream, value) = held else { return }
    held = nil
    _ = downstream.receive(value)
    guard state.load(ordering: .acquiring) & Self.isCancelled == 0 else { return }
    downstream.receive(completion: .finished)
  }

  // Not optimised, as `Drain.look` says.
  @_optimize(none)
  package override var heldReferences: [HeldReference] {
    let seen = state.load(ordering: .acquiring)
    guard seen & (Self.hasValue | Self.isTaken | Self.isLookedAt) == Self.hasValue,
      state.compareExchange(
        expected: seen, desired: seen | Self.isLookedAt, ordering: .acquiringAndReleasing
      ).exchanged
    else { return super.heldReferences }
    let value: [HeldReference] = held.map { [.value("held", $0)] } ?? []
    state.bitwiseAnd(~Self.isLookedAt, ordering: .releasing)
    return super.heldReferences + value
  }

  /// Lets who only looks at the held value finish, which takes a moment.
  final func awaitLook() {
    while state.load(ordering: .acquiring) & Self.isLookedAt != 0 {}
  }

  /// Adds to the state and returns what it was before.
  final func say(_ bits: UInt8) -> UInt8 {
    state.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
  }
}
