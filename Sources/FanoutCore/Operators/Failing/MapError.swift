extension Publishers {
  /// A publisher that transforms its upstream's failure with a closure.
  @frozen
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher, UpstreamOutput {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms the failure.
    @preconcurrency public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Creates a publisher that transforms the failure of `upstream` with `map`.
    @preconcurrency
    public init(upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      transform = map
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = FailureStep<Self, Upstream.Failure, Void>(transform)
      upstream.receive(subscriber: StepSubscription(step, (), downstream: subscriber))
    }
  }
}

extension Publishers.MapError: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Transforms the failure with a closure.
  ///
  /// ![Values pass, and the failure arrives as another error.](map-error)
  ///
  /// - Parameter transform: The closure, called at most once for each subscriber on the thread that
  ///   fails.
  /// - Returns: A publisher of the same values. Demand, `.finished` and cancel pass through.
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
  @preconcurrency
  public func mapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Publishers.MapError<Self, NewFailure> {
    Publishers.MapError(upstream: self, transform)
  }
}
