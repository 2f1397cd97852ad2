extension Publishers {
  /// A publisher of one array with all values of its upstream.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// An array of the upstream's values.
    public typealias Output = [Upstream.Output]
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of one array of all values of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: FinalStepSubscription(Step(), [], downstream: subscriber))
    }
  }
}

extension Publishers.Collect: Sendable where Upstream: Sendable {}
extension Publishers.Collect: Equatable where Upstream: Equatable {}

extension Publishers.Collect {
  /// The state is the array.
  @frozen @usableFromInline
  package struct Step: FinalStep {
    @inlinable init() {}

    @inlinable package static var name: StaticString? { "Collect" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout [Upstream.Output]
    ) -> StepResult<[Upstream.Output], Upstream.Failure> {
      state.append(value)
      return .ignore
    }
  }
}

extension Publisher {
  /// Delivers one array with all values once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives one array of all values, and finishes.](collect)
  ///
  /// - Returns: A publisher that requests everything from its upstream, and delivers the array when its
  ///   subscriber requests it. The array is empty if there was no value. A failure passes at once and
  ///   releases the values, as a cancel does. Otherwise the publisher retains them, however many there are,
  ///   until it delivers the array.
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
