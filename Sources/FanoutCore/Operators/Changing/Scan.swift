extension Publishers {
  /// A publisher of the running results of a closure over its upstream's values.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initialResult: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    /// Creates a publisher of running results.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: StepSubscription(
          Step(nextPartialResult), initialResult, downstream: subscriber))
    }
  }
}

extension Publishers.Scan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers.Scan {
  /// The state is the last result.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    @inlinable
    init(_ nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output) {
      self.nextPartialResult = nextPartialResult
    }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Output
    ) -> StepResult<Output, Upstream.Failure> {
      let result = nextPartialResult(state, value)
      state = result
      return .value(result)
    }
  }
}

extension Publisher {
  /// Combines each value with the last result, and delivers the new result.
  ///
  /// ![Each value is added to the sum so far, and the new sum is delivered.](scan)
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first value is combined with. Each subscriber starts with it.
  ///   - nextPartialResult: The closure, called once for each value and subscriber on the delivering
  ///     thread.
  /// - Returns: A publisher of the results. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let sums = (1...4).publisher.scan(10) { $0 + $1 }.sink { print($0) }
  /// sums.cancel()
  /// // Prints:
  /// // 11
  /// // 13
  /// // 16
  /// // 20
  /// ```
  @inlinable
  @preconcurrency
  public func scan<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
