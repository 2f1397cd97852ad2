extension Publishers {
  /// A publisher of the results of a closure that are not nil.
  @frozen
  public struct CompactMap<Upstream: Publisher, Output>: Publisher, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value; a nil result is not delivered.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> Output?

    /// Creates a publisher of the results of `transform` that are not nil.
    @preconcurrency
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber, which sees the upstream's subscription.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = CompactMapStep<Self, Upstream.Output, Nonthrowing<Failure>>(transform)
      upstream.receive(subscriber: StepSubscription(step, (), downstream: subscriber))
    }
  }
}

extension Publishers.CompactMap: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of the results of a closure that are not nil, which fails when the closure throws.
  @frozen
  public struct TryCompactMap<Upstream: Publisher, Output>: Publisher, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that transforms each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) throws -> Output?

    /// Creates a publisher of the results of `transform` that are not nil.
    @preconcurrency
    public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) throws -> Output?
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let step = CompactMapStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(transform)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "TryCompactMap", downstream: subscriber))
    }
  }
}

extension Publishers.TryCompactMap: Sendable where Upstream: Sendable {}

/// The step of `compactMap` and `tryCompactMap`.
@frozen
@usableFromInline
package struct CompactMapStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let transform: @Sendable (Input) throws -> Operator.Output?

  @inlinable
  init(_ transform: @escaping @Sendable (Input) throws -> Operator.Output?) {
    self.transform = transform
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Void
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    if let result = try transform(value) { .value(result) } else { .skip }
  }
}

extension Publisher {
  /// Transforms each value with a closure, and delivers the results that are not nil.
  ///
  /// ![The texts that are numbers arrive as numbers; x is left out.](compact-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the
  ///   delivering thread.
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
  @preconcurrency
  public func compactMap<Result>(
    _ transform: @escaping @Sendable (Output) -> Result?
  ) -> Publishers.CompactMap<Self, Result> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Transforms each value with a closure, leaves out nil, and fails when the closure throws.
  ///
  /// ![2 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-compact-map)
  ///
  /// - Parameter transform: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher of the results. A result of nil does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 5, -1, 7].publisher.tryCompactMap { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3 ? number * 10 : nil
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 50
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryCompactMap<Result>(_ transform: @escaping @Sendable (Output) throws -> Result?)
    -> Publishers.TryCompactMap<Self, Result>
  {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}
