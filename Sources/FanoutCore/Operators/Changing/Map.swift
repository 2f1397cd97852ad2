extension Publishers {
  /// A publisher that transforms each value of its upstream with a closure.
  @frozen
  public struct Map<Upstream: Publisher, Output>: Publisher, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that transforms each value of `upstream` with `transform`.
    @preconcurrency
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = MapStep<Self, Upstream.Output, Nonthrowing<Failure>>(transform)
      upstream.receive(subscriber: StepSubscription(step, (), downstream: subscriber))
    }
  }
}

extension Publishers.Map: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher that transforms each value with a closure, and fails when the closure throws.
  @frozen
  public struct TryMap<Upstream: Publisher, Output>: Publisher, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) throws -> Output

    /// Creates a publisher that transforms each value of `upstream` with `transform`.
    @preconcurrency
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == any Error {
      let step = MapStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(transform)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "TryMap", downstream: subscriber))
    }
  }
}

extension Publishers.TryMap: Sendable where Upstream: Sendable {}

/// The step of `map` and `tryMap`.
@frozen
@usableFromInline
package struct MapStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let transform: @Sendable (Input) throws -> Operator.Output

  @inlinable
  init(_ transform: @escaping @Sendable (Input) throws -> Operator.Output) {
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Void
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    .value(try transform(value))
  }
}

extension Publisher {
  /// Transforms each value with a closure.
  ///
  /// ![Each value is changed by the closure, at once.](map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the
  ///   delivering thread.
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
  @preconcurrency
  public func map<Result>(
    _ transform: @escaping @Sendable (Output) -> Result
  ) -> Publishers.Map<Self, Result> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Transforms each value with a closure, and fails with the first error that it throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and nothing follows the
  ///   failure.
  /// - Returns: A publisher of the results. Demand, completion and cancel pass through, and so does
  ///   the upstream's failure, as `any Error`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct NotANumber: Error {}
  /// let numbers = ["1", "2", "x", "4"].publisher.tryMap { text in
  ///   guard let number = Int(text) else { throw NotANumber() }
  ///   return number
  /// }
  /// let printed = numbers.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // failure(main.NotANumber())
  /// ```
  @preconcurrency
  public func tryMap<Result>(
    _ transform: @escaping @Sendable (Output) throws -> Result
  ) -> Publishers.TryMap<Self, Result> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}
