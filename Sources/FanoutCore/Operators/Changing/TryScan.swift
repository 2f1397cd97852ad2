extension Publishers {
  /// A publisher of the running results of a closure over its upstream's values, which fails when
  /// the closure throws.
  @frozen
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The result that the first value is combined with, for each subscriber.
    public let initialResult: Output
    /// The closure that combines the last result with a value.
    @preconcurrency public let nextPartialResult:
      @Sendable (Output, Upstream.Output) throws -> Output

    /// Creates a publisher of running results.
    @inlinable
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
      upstream.receive(
        subscriber: StepSubscription(Step(nextPartialResult), initialResult, downstream: subscriber)
      )
    }
  }
}

extension Publishers.TryScan: Sendable where Upstream: Sendable, Output: Sendable {}

extension Publishers.TryScan {
  /// The state is the last result.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let nextPartialResult: @Sendable (Output, Upstream.Output) throws -> Output

    @inlinable
    init(_ nextPartialResult: @escaping @Sendable (Output, Upstream.Output) throws -> Output) {
      self.nextPartialResult = nextPartialResult
    }

    @inlinable package static var name: StaticString? { "TryScan" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Output
    ) -> StepResult<Output, any Error> {
      do {
        let result = try nextPartialResult(state, value)
        state = result
        return .value(result)
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
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
  @inlinable
  @preconcurrency
  public func tryScan<Result>(
    _ initialResult: Result,
    _ nextPartialResult: @escaping @Sendable (Result, Output) throws -> Result
  ) -> Publishers.TryScan<Self, Result> {
    Publishers.TryScan(
      upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}
