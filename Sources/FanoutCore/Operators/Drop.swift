// Invariant: `left` is reached only inside `receive(_:)`, which a publisher never calls twice at the
// same time.

public import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream but the first ones.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are left out.
    public let count: Int

    /// Makes a publisher that leaves out the first `count` values of `upstream`.
    public init(upstream: Upstream, count: Int) {
      precondition(count >= 0, "dropFirst(_:) needs a count of 0 or more, not \(count).")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber; the values that are left out are asked for at once.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, count: count), count: count))
    }
  }
}

extension Publishers.Drop: Sendable where Upstream: Sendable {}
extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publishers.Drop {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @exclusivity(unchecked) @usableFromInline var left: Int

    @inlinable
    init(downstream: Downstream, count: Int) {
      left = count
      super.init(downstream: downstream)
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline let count: Int

    @usableFromInline
    init(_ body: Body<Downstream>, count: Int) {
      self.count = count
      super.init(body, name: "Drop")
    }

    // Asked for beforehand, so that a value that is left out needs no demand of the subscriber's.
    @usableFromInline override var creditOfItsOwn: Credit { Credit(rawValue: UInt(count)) }

    @usableFromInline
    override func didReceiveSubscription() {
      if count > 0 { stage.request(creditOfItsOwn) }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { pass(input, $0, isGuarded: false) } ?? .none
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      stage.deliver {
        pass(input, $0, isGuarded: true)
      } otherwise: {
        receive(input)
      }
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> Subscribers.Demand {
      guard body.left == 0 else {
        body.left -= 1
        return .none
      }
      return body.downstream.receive(input, isGuarded: isGuarded)
    }
  }
}

extension Publisher {
  /// Leaves out the first values.
  ///
  /// - Parameter count: how many values are left out, from 0 up; a negative number traps.
  /// - Returns: a publisher of what follows them. It asks its upstream for those that it leaves out
  ///   at once, whatever its subscriber asks for.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let rest = (1...4).publisher.dropFirst(2).sink { print($0) }
  /// rest.cancel()
  /// // Prints:
  /// // 3
  /// // 4
  /// ```
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}
