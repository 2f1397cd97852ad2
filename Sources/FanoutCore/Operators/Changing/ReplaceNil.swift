extension Publishers {
  /// A publisher of the upstream's values, with another value in place of each nil.
  @frozen
  public struct ReplaceNil<Upstream: Publisher, Output>: Publisher, UpstreamFailure
  where Upstream.Output == Output? {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The value that replaces nil.
    public let output: Output

    /// Creates a publisher of the values of `upstream`, with `output` in place of nil.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      // The value is the state, although it never changes: a step is `Sendable`, and the value need
      // not be.
      let step = ClosureStep<Self, Output?, Output, Nonthrowing<Failure>> { .value($0 ?? $1) }
      upstream.receive(subscriber: StepSubscription(step, output, downstream: subscriber))
    }
  }
}

extension Publishers.ReplaceNil: Sendable where Upstream: Sendable, Output: Sendable {}
extension Publishers.ReplaceNil: Equatable where Upstream: Equatable, Output: Equatable {}

extension Publisher {
  /// Replaces each nil with a value, and unwraps the other values.
  ///
  /// ![In place of nil the subscriber receives 0.](replace-nil)
  ///
  /// - Parameter output: The value that replaces nil. Each subscriber's subscription retains it.
  /// - Returns: A publisher of values that are not optional. Demand, completion and cancel pass
  ///   through. If the values are optionals of optionals, it replaces only the outer nil.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let readings = [20, nil, 22].publisher.replaceNil(with: 0).sink { print($0) }
  /// readings.cancel()
  /// // Prints:
  /// // 20
  /// // 0
  /// // 22
  /// ```
  @preconcurrency
  public func replaceNil<Wrapped: Sendable>(
    with output: Wrapped
  ) -> Publishers.ReplaceNil<Self, Wrapped> where Output == Wrapped? {
    Publishers.ReplaceNil(upstream: self, output: output)
  }
}
