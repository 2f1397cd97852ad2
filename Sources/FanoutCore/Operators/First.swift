// Invariant: `held` is written once, before `state` says `hasValue`, and afterwards belongs to the one
// thread that sets `isTaken`.

public import FanoutEngine
internal import Synchronization

extension Publishers {
  /// A publisher of the first value of its upstream.
  public struct First<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the value comes from.
    public let upstream: Upstream

    /// Makes a publisher of the first value of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber), name: "First"))
    }
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @inlinable
    override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    static var isAsked: UInt8 { 1 }
    static var hasValue: UInt8 { 2 }
    static var isTaken: UInt8 { 4 }
    static var isCancelled: UInt8 { 8 }
    static var isLookedAt: UInt8 { 16 }

    let state = AtomicValue<UInt8>(0)
    @exclusivity(unchecked) var held: (downstream: Downstream, value: Input)?

    @usableFromInline
    override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    /// The value may wait for demand and then be delivered by the thread that asks.
    @usableFromInline override var passesGuard: Bool { false }

    @usableFromInline
    override func didReceiveSubscription() { stage.request(.unlimited) }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none else { return }
      if say(Self.isAsked) & Self.hasValue != 0 { deliverHeld() }
    }

    /// Lets go of the upstream at the first value, and holds that until it is asked for.
    @usableFromInline
    func receive(_ input: Input) -> Subscribers.Demand {
      let downstream = finish { body in
        body.adopted?.cancel()
        return body.downstream
      }
      guard let downstream else { return .none }
      held = (downstream, input)
      let said = say(Self.hasValue)
      if said & Self.isTaken != 0 {
        held = nil
      } else if said & Self.isAsked != 0 {
        deliverHeld()
      }
      return .none
    }

    @usableFromInline
    override func willCancel() {
      let said = say(Self.isTaken | Self.isCancelled)
      guard said & (Self.hasValue | Self.isTaken) == Self.hasValue else { return }
      awaitLook()
      held = nil
    }

    func deliverHeld() {
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
    func awaitLook() {
      while state.load(ordering: .acquiring) & Self.isLookedAt != 0 {}
    }

    /// Adds to the state and returns what it was before.
    func say(_ bits: UInt8) -> UInt8 {
      state.bitwiseOr(bits, ordering: .acquiringAndReleasing).oldValue
    }
  }
}

extension Publisher {
  /// Delivers the first value, then finishes and cancels its upstream.
  ///
  /// - Returns: a publisher that asks its upstream for everything, cancels it at the first value,
  ///   and delivers that value when it is asked for; it finishes without one if its upstream does.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let first = (7...9).publisher.first().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// first.cancel()
  /// // Prints:
  /// // 7
  /// // finished
  /// ```
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}
