extension Publishers {
  /// A publisher of the running results of a closure over its upstream's values.
  @frozen
  public struct Scan<Upstream: Publisher, Output>: Publisher, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initialResult: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    /// Creates a publisher of running results.
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
      let step = ScanStep<Self, Upstream.Output, Nonthrowing<Failure>>(nextPartialResult)
      upstream.receive(subscriber: StepSubscription(step, initialResult, downstream: subscriber))
    }
  }
}

extension Publishers.Scan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers {
  /// A publisher of the running results of a closure over its upstream's values, which fails when
  /// the closure throws.
  @frozen
  public struct TryScan<Upstream: Publisher, Output>: Publisher, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initialResult: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult:
      @Sendable (Output, Upstream.Output) throws -> Output

    /// Creates a publisher of running results.
    @preconcurrency
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = ScanStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(nextPartialResult)
      upstream.receive(
        subscriber: StepSubscription(step, initialResult, name: "TryScan", downstream: subscriber))
    }
  }
}

extension Publishers.TryScan: Sendable where Upstream: Sendable, Output: Sendable {}

/// The step of `scan` and `tryScan`; its state is the last result.
@frozen
@usableFromInline
package struct ScanStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let nextPartialResult:
    @Sendable (Operator.Output, Input) throws -> Operator.Output

  @inlinable
  init(_ nextPartialResult: @escaping @Sendable (Operator.Output, Input) throws -> Operator.Output)
  {
    self.nextPartialResult = nextPartialResult
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Operator.Output
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    let result = try nextPartialResult(state, value)
    state = result
    return .value(result)
  }
}

extension Publisher {
  /// Combines each value with the last result, and delivers the new result.
  ///
  /// ![Each value is added to the sum so far, and the new sum is delivered.](scan)
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first value is combined with. Each subscriber starts
  ///     with it.
  ///   - nextPartialResult: The closure, called once for each value and subscriber on the
  ///     delivering thread.
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
  @preconcurrency
  public func scan<Result: Sendable>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) -> Result
  ) -> Publishers.Scan<Self, Result> {
    Publishers.Scan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines each value with the last result, delivers the new result, and fails when the closure
  /// throws.
  ///
  /// ![Each value is added to the sum so far; for -1 the closure throws, so the subscriber fails and the upstream is cancelled.](try-scan)
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first value is combined with. Each subscriber starts
  ///     with it.
  ///   - nextPartialResult: The closure, called once for each value and subscriber on the
  ///     delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///     the error.
  /// - Returns: A publisher of the results. Demand, completion and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 2, -1].publisher.tryScan(10) { sum, number in
  ///   if number < 0 { throw Negative() }
  ///   return sum + number
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 11
  /// // 13
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryScan<Result: Sendable>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) throws -> Result
  ) -> Publishers.TryScan<Self, Result> {
    Publishers.TryScan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
