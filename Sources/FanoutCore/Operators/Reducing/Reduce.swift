extension Publishers {
  /// A publisher of the final result of a closure over its upstream's values.
  @frozen
  public struct Reduce<Upstream: Publisher, Output>: Publisher, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initial: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult: @Sendable (Output, Upstream.Output) -> Output

    /// Creates a publisher of the result of combining all values of `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = ReduceStep<Self, Upstream.Output, Nonthrowing<Failure>>(nextPartialResult)
      upstream.receive(
        subscriber: FinalStateSubscription(step, initial, name: "Reduce", downstream: subscriber))
    }
  }
}

extension Publishers.Reduce: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers {
  /// A publisher of the final result of a closure over its upstream's values, which fails when the
  /// closure throws.
  @frozen
  public struct TryReduce<Upstream: Publisher, Output>: Publisher, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initial: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult:
      @Sendable (Output, Upstream.Output) throws -> Output

    /// Creates a publisher of the result of combining all values of `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream, initial: Output,
      nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = ReduceStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(nextPartialResult)
      upstream.receive(
        subscriber: FinalStateSubscription(step, initial, name: "TryReduce", downstream: subscriber)
      )
    }
  }
}

extension Publishers.TryReduce: Sendable where Upstream: Sendable, Output: Sendable {}

/// The step of an operator that combines all values into one; its state is the last result.
@frozen @usableFromInline
package struct ReduceStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let nextPartialResult:
    @Sendable (Operator.Output, Input) throws -> Operator.Output

  @inlinable
  init(_ nextPartialResult: @escaping @Sendable (Operator.Output, Input) throws -> Operator.Output)
  { self.nextPartialResult = nextPartialResult }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Operator.Output
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    state = try nextPartialResult(state, value)
    return .ignore
  }
}

extension Publisher {
  /// Combines all values with a closure, and delivers the final result once the upstream has
  /// finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the sum of 10 and all values, and finishes.](reduce)
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first value is combined with. Each subscriber starts
  ///     with it.
  ///   - nextPartialResult: The closure, called once for each value and subscriber on the
  ///     delivering thread.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. If there was no value, the result is `initialResult`. A
  ///   failure passes without a result.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...4).publisher.reduce(10) { $0 + $1 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 20
  /// // finished
  /// ```
  @preconcurrency
  public func reduce<Result: Sendable>(
    _ initialResult: Result, _ nextPartialResult: @escaping @Sendable (Result, Output) -> Result
  ) -> Publishers.Reduce<Self, Result> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines all values with a closure, and delivers the final result once the upstream has
  /// finished, or fails when the closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-reduce)
  ///
  /// - Parameters:
  ///   - initialResult: The result that the first value is combined with. Each subscriber starts
  ///     with it.
  ///   - nextPartialResult: The closure, called once for each value and subscriber on the
  ///     delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///     the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. If there was no value, the result is `initialResult`. A
  ///   failure passes without a result.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1].publisher.tryReduce(0) { sum, number in
  ///   if number < 0 { throw Negative() }
  ///   return sum + number
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryReduce<Result: Sendable>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) throws -> Result
  ) -> Publishers.TryReduce<Self, Result> {
    Publishers.TryReduce(
      upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}
