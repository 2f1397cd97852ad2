public import FanoutEngine

extension Publishers {
  /// A publisher that fails with what a closure makes of its upstream's failure.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream
    /// What is made of the failure.
    @preconcurrency public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Makes a publisher that fails with what `map` makes of the failure of `upstream`.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      transform = map
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

extension Publishers.MapError: Sendable where Upstream: Sendable {}

extension Publishers.MapError {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline let transform: @Sendable (Upstream.Failure) -> Failure

    @inlinable
    init(downstream: Downstream, transform: @escaping @Sendable (Upstream.Failure) -> Failure) {
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
  where Downstream.Input == Upstream.Output, Downstream.Failure == Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { $0.downstream.receive(input) } ?? .none
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      stage.deliver {
        $0.downstream._receiveGuarded(input)
      } otherwise: {
        receive(input)
      }
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      guard case .failure(let error) = completion else { return end(.finished) }
      // What the closure cancels does not end any more.
      if let failure = stage.withBody({ $0.transform(error) }) { end(.failure(failure)) }
    }
  }
}

extension Publisher {
  /// Fails with what a closure makes of the failure.
  ///
  /// - Parameter transform: called at most once a subscriber, on the thread that fails.
  /// - Returns: a publisher of the same values; demand, `.finished` and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// struct Broken: Error { let cause: any Error }
  /// let failing = Fail<Int, Offline>(error: Offline()).mapError { Broken(cause: $0) }
  /// let printed = failing.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Broken(cause: main.Offline()))
  /// ```
  @inlinable
  @preconcurrency
  public func mapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Publishers.MapError<Self, NewFailure> {
    Publishers.MapError(upstream: self, transform)
  }
}
