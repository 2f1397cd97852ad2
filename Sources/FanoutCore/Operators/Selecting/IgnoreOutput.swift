public import FanoutEngine

extension Publishers {
  /// A publisher of the end of its upstream, without the values.
  @frozen
  public struct IgnoreOutput<Upstream: Publisher>: Publisher, UpstreamFailure {
    /// No values.
    public typealias Output = Never

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the end of `upstream`.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Void, Nonthrowing<Failure>> { _, _ in .ignore }
      upstream.receive(
        subscriber: StepSubscription(
          step, (), name: "IgnoreOutput", initialCredit: .unlimited, downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Leaves out every value, and delivers the completion.
  ///
  /// ![Every value is left out, and the subscriber receives the finish.](ignore-output)
  ///
  /// - Returns: A publisher that requests everything from its upstream, whatever its subscriber
  ///   requests, and delivers only its completion.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.ignoreOutput().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { _ in })
  /// printed.cancel()
  /// // Prints:
  /// // finished
  /// ```
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}
