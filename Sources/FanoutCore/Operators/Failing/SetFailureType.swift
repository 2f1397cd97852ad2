extension Publishers {
  /// A publisher that never fails, with the failure type of one that can.
  @frozen
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher, UpstreamOutput
  where Upstream.Failure == Never {
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the values of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      @Sendable func convert(_ error: Never) -> Failure {}
      let step = FailureStep<Self, Never, Void>(convert)
      upstream.receive(subscriber: StepSubscription(step, (), downstream: subscriber))
    }

    /// Changes the failure type again.
    ///
    /// - Parameter failure: The new failure type.
    /// - Returns: A publisher of the same values.
    public func setFailureType<NewFailure: Error>(
      to failure: NewFailure.Type
    ) -> Publishers.SetFailureType<Upstream, NewFailure> {
      Publishers.SetFailureType<Upstream, NewFailure>(upstream: upstream)
    }
  }
}

extension Publishers.SetFailureType: Sendable where Upstream: Sendable {}
extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publisher where Failure == Never {
  /// Sets the failure type of this publisher, which never fails, so that it matches another
  /// publisher.
  ///
  /// - Parameter failureType: The new failure type.
  /// - Returns: A publisher of the same values. Demand, `.finished` and cancel pass through.
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
  public func setFailureType<NewFailure: Error>(
    to failureType: NewFailure.Type
  ) -> Publishers.SetFailureType<Self, NewFailure> {
    Publishers.SetFailureType(upstream: self)
  }
}
