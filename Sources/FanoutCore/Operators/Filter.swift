public import FanoutEngine

extension Publishers {
  /// A publisher that delivers those values of its upstream for which a closure holds.
  @frozen
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Says which values pass.
    @preconcurrency public let isIncluded: @Sendable (Upstream.Output) -> Bool

    /// Makes a publisher of the values of `upstream` for which `isIncluded` holds.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber:
          Inner(Body(downstream: subscriber, isIncluded: isIncluded), name: "Filter"))
    }
  }
}

extension Publishers.Filter: Sendable where Upstream: Sendable {}

extension Publishers.Filter {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @usableFromInline let isIncluded: @Sendable (Upstream.Output) -> Bool

    @inlinable
    init(downstream: Downstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.isIncluded = isIncluded
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.closure("isIncluded", isIncluded)]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

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
      let isIncluded = body.isIncluded(input)
      // The closure may have cancelled.
      guard !stage.isClosed else { return .none }
      // A value that does not pass was not delivered, so another is asked for in its place.
      return isIncluded ? body.downstream.receive(input, isGuarded: isGuarded) : .max(1)
    }
  }
}

extension Publisher {
  /// Delivers only the values for which a closure holds.
  ///
  /// - Parameter isIncluded: called once a value and subscriber, on the delivering thread.
  /// - Returns: a publisher of those values; what does not pass is not counted against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let even = (1...6).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }
  /// even.cancel()
  /// // Prints:
  /// // 2
  /// // 4
  /// // 6
  /// ```
  @inlinable
  @preconcurrency
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}
