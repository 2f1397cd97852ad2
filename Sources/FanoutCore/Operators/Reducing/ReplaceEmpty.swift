extension Publishers {
  /// A publisher that delivers a value if its upstream finishes without one.
  @frozen
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The value that is delivered if there is no other.
    public let output: Upstream.Output
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher that delivers `output` if `upstream` finishes without a value.
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Upstream.Output?, Nonthrowing<Failure>> {
        value, replacement in
        if case .some = replacement { replacement = nil }
        return .value(value)
      }
      upstream.receive(
        subscriber: TrailingOptionalSubscription(
          step, output, name: "ReplaceEmpty", downstream: subscriber))
    }
  }
}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {
}

extension Publisher {
  /// Delivers a value if this publisher finishes without one.
  ///
  /// ![The upstream finishes without a value, so the subscriber receives 0, and finishes.](replace-empty)
  ///
  /// - Parameter output: The value. It waits until the subscriber requests it, and `.finished`
  ///   follows it. Each subscription retains it until the first other value.
  /// - Returns: A publisher of this publisher's values, or of `output`. Demand, failures and cancel
  ///   pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let answer = [1, 3].publisher.filter { $0 > 5 }.replaceEmpty(with: 0)
  /// let printed = answer.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 0
  /// // finished
  /// ```
  @preconcurrency
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self>
  where Output: Sendable {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}
