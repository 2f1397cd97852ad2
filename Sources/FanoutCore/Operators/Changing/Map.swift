extension Publishers {
  /// A publisher that transforms each value of its upstream with a closure.
  @frozen
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that transforms each value of `upstream` with `transform`.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(transform), downstream: subscriber))
    }
  }
}

extension Publishers.Map: Sendable where Upstream: Sendable {}

extension Publishers.Map {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let transform: @Sendable (Upstream.Output) -> Output

    @inlinable
    init(_ transform: @escaping @Sendable (Upstream.Output) -> Output) {
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Output, Upstream.Failure> {
      .value(transform(value))
    }
  }
}

extension Publisher {
  /// Transforms each value with a closure.
  ///
  /// ![Each value is changed by the closure, at once.](map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the delivering thread.
  /// - Returns: A publisher of the results. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let squares = (1...3).publisher.map { $0 * $0 }.sink { print($0) }
  /// squares.cancel()
  /// // Prints:
  /// // 1
  /// // 4
  /// // 9
  /// ```
  @inlinable
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Output) -> Result
  ) -> Publishers.Map<Self, Result> {
    Publishers.Map(upstream: self, transform: transform)
  }
}
