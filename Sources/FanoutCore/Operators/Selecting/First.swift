extension Publishers {
  /// A publisher of the first value of its upstream.
  public struct First<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the first value of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Void, Nonthrowing<Failure>> { value, _ in
        .last(value)
      }
      upstream.receive(
        subscriber: FinalStepSubscription(step, (), name: "First", downstream: subscriber))
    }
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers the first value, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives the first value and finishes; the upstream is cancelled.](first)
  ///
  /// - Returns: A publisher that requests everything from its upstream, cancels it at the first
  ///   value, and delivers that value when its subscriber requests it. It finishes without a value
  ///   if its upstream does.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let first = (7...9).publisher.first().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// first.cancel()
  /// // Prints:
  /// // 7
  /// // finished
  /// ```
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}
