extension Publishers {
  /// A publisher of one array with all values of its upstream.
  public struct Collect<Upstream: Publisher>: Publisher, ArrayOutput, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of one array of all values of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == [Upstream.Output], S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Output, Nonthrowing<Failure>> { value, values in
        values.append(value)
        return .ignore
      }
      upstream.receive(
        subscriber: FinalStateSubscription(step, [], name: "Collect", downstream: subscriber))
    }
  }
}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers one array with all values once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives one array of all values, and finishes.](collect)
  ///
  /// - Returns: A publisher that requests everything from its upstream, and delivers the array when
  ///   its subscriber requests it. The array is empty if there was no value. A failure passes at
  ///   once and releases the values, as a cancel does. Otherwise the publisher retains them,
  ///   however many there are, until it delivers the array.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let all = (1...3).publisher.collect().sink { print($0) }
  /// all.cancel()
  /// // Prints:
  /// // [1, 2, 3]
  /// ```
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}
