extension Publishers {
  /// A publisher of the last value of its upstream.
  @frozen
  public struct Last<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the last value of `upstream`.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Upstream.Output?, Nonthrowing<Failure>> {
        value, last in
        last = value
        return .ignore
      }
      upstream.receive(
        subscriber: FinalOptionalSubscription(step, nil, name: "Last", downstream: subscriber))
    }
  }
}

extension Publishers.Last: Sendable where Upstream: Sendable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers the last value once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives its last value, and finishes.](last)
  ///
  /// - Returns: A publisher that requests everything from its upstream, retains the last value, and
  ///   delivers it when its subscriber requests it. It finishes without a value if there was none.
  ///   A failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.last().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 3
  /// // finished
  /// ```
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }
}
