public import FanoutEngine

extension Publishers {
  /// A publisher that delivers what a closure makes of each value, unless that is nil.
  @frozen
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// What is made of each; nil does not pass.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> Output?

    /// Makes a publisher that delivers what `transform` makes of values of `upstream`.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, transform: transform), name: nil))
    }
  }
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers.CompactMap {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Output {
    @usableFromInline let transform: @Sendable (Upstream.Output) -> Output?

    @inlinable
    init(downstream: Downstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
      self.transform = transform
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.closure("transform", transform)]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Output, Downstream.Failure == Upstream.Failure {
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
      let result = body.transform(input)
      // The closure may have cancelled.
      guard !stage.isClosed else { return .none }
      // A value that does not pass was not delivered, so another is asked for in its place.
      guard let result else { return .max(1) }
      return body.downstream.receive(result, isGuarded: isGuarded)
    }
  }
}

extension Publisher {
  /// Delivers what a closure makes of each value, unless that is nil.
  ///
  /// - Parameter transform: called once a value and subscriber, on the delivering thread.
  /// - Returns: a publisher of the results that are not nil; nil is not counted against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = ["1", "two", "3"].publisher.compactMap { Int($0) }.sink { print($0) }
  /// numbers.cancel()
  /// // Prints:
  /// // 1
  /// // 3
  /// ```
  @inlinable
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Output) -> Result?
  ) -> Publishers.CompactMap<Self, Result> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}
