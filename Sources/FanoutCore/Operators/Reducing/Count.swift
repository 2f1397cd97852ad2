extension Publishers {
  /// A publisher of the number of its upstream's values.
  @frozen
  public struct Count<Upstream: Publisher>: Publisher, UpstreamFailure {
    /// The number of values.
    public typealias Output = Int

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the number of values of `upstream`.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Int, Nonthrowing<Failure>> { _, count in
        count += 1
        return .ignore
      }
      upstream.receive(
        subscriber: FinalStateSubscription(step, 0, name: "Count", downstream: subscriber))
    }
  }
}

extension Publishers.Count: Sendable where Upstream: Sendable {}
extension Publishers.Count: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers the number of values once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the number of its values, and finishes.](count)
  ///
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. A failure passes without a number.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...4).publisher.count().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 4
  /// // finished
  /// ```
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }
}
