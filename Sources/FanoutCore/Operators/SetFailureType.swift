public import FanoutEngine

extension Publishers {
  /// A publisher that never fails, where one is wanted that can.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// The upstream's values.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Makes a publisher that delivers what `upstream` does.
    @inlinable
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches a subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber), name: nil))
    }

    /// Says another failure.
    ///
    /// - Parameter failure: the type of the failure.
    /// - Returns: a publisher of the same values.
    @inlinable
    public func setFailureType<NewFailure: Error>(
      to failure: NewFailure.Type
    ) -> Publishers.SetFailureType<Upstream, NewFailure> {
      Publishers.SetFailureType<Upstream, NewFailure>(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers.SetFailureType {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @inlinable
    override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Never

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
    func receive(completion: Subscribers.Completion<Never>) { end(.finished) }
  }
}

extension Publisher where Failure == Never {
  /// Says how this publisher, which never fails, could fail: for where that has to fit another.
  ///
  /// - Parameter failureType: the type of the failure.
  /// - Returns: a publisher of the same values; demand, `.finished` and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// let cached: AnyPublisher<Int, Offline> = Just(1).setFailureType(to: Offline.self)
  ///   .eraseToAnyPublisher()
  /// let printed = cached.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // finished
  /// ```
  @inlinable
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.SetFailureType<Self, NewFailure> {
    Publishers.SetFailureType(upstream: self)
  }
}
