extension Publishers {
  /// A publisher of whether its upstream delivers a value.
  @frozen
  public struct Contains<Upstream: Publisher>: Publisher, BoolOutput, UpstreamFailure
  where Upstream.Output: Equatable {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The value to look for.
    public let output: Upstream.Output

    /// Creates a publisher of whether `upstream` delivers `output`.
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Bool, S.Failure == Failure {
      // The value is the state, although it never changes: a step is `Sendable`, and the value need
      // not be.
      let step = ClosureStep<Self, Upstream.Output, Upstream.Output, Nonthrowing<Failure>> {
        $0 == $1 ? .last(true) : .ignore
      }
      upstream.receive(
        subscriber: SearchSubscription(step, output, name: "Contains", downstream: subscriber))
    }
  }
}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.Contains: Equatable where Upstream: Equatable {}

extension Publisher where Output: Equatable {
  /// Delivers whether the upstream delivers a value.
  ///
  /// ![When 2 comes, the subscriber receives true, and finishes; the upstream is cancelled.](contains)
  ///
  /// - Parameter output: The value to look for.
  /// - Returns: A publisher that delivers true and cancels its upstream at the first equal value,
  ///   or false once the upstream has finished. It requests everything from its upstream, and
  ///   delivers the result when its subscriber requests it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.contains(2).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // true
  /// // finished
  /// ```
  @preconcurrency
  public func contains(_ output: Output) -> Publishers.Contains<Self>
  where Output: Sendable {
    Publishers.Contains(upstream: self, output: output)
  }
}
