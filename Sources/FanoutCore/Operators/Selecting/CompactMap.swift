extension Publishers {
  /// A publisher of the results of a closure that are not nil.
  @frozen
  public struct CompactMap<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value; a nil result is not delivered.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> Output?

    /// Creates a publisher of the results of `transform` that are not nil.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
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

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers.CompactMap {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let transform: @Sendable (Upstream.Output) -> Output?

    @inlinable
    init(_ transform: @escaping @Sendable (Upstream.Output) -> Output?) {
      self.transform = transform
    }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Output, Upstream.Failure> {
      if let result = transform(value) { .value(result) } else { .skip }
    }
  }
}

extension Publisher {
  /// Transforms each value with a closure, and delivers the results that are not nil.
  ///
  /// ![The texts that are numbers arrive as numbers; x is left out.](compact-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the delivering thread.
  /// - Returns: A publisher of those results. A nil result does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = ["1", "two", "3"].publisher.compactMap { Int($0) }.sink { print($0) }
  /// numbers.cancel()
  /// // Prints:
  /// // 1
  /// // 3
  /// ```
  @inlinable
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Output) -> Result?
  ) -> Publishers.CompactMap<Self, Result> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}
