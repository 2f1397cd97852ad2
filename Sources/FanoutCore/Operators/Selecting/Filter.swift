extension Publishers {
  /// A publisher of the upstream's values for which a closure returns true.
  @frozen
  public struct Filter<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let isIncluded: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the values of `upstream` for which `isIncluded` returns true.
    @preconcurrency
    public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = FilterStep<Self, Upstream.Output, Nonthrowing<Failure>>(isIncluded)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "Filter", downstream: subscriber))
    }
  }
}

extension Publishers.Filter: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of its upstream's values that a closure accepts, which fails when the closure
  /// throws.
  @frozen
  public struct TryFilter<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let isIncluded: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the values of `upstream` that `isIncluded` accepts.
    @preconcurrency
    public init(
      upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = FilterStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(isIncluded)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "TryFilter", downstream: subscriber))
    }
  }
}

extension Publishers.TryFilter: Sendable where Upstream: Sendable {}

/// The step of `filter` and `tryFilter`.
@frozen
@usableFromInline
package struct FilterStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Operator.Output == Input, Operator.Failure == Errors.Failure {
  @usableFromInline let isIncluded: @Sendable (Input) throws -> Bool

  @inlinable
  init(_ isIncluded: @escaping @Sendable (Input) throws -> Bool) { self.isIncluded = isIncluded }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Void
  ) throws -> StepResult<Input, Errors.Failure> {
    try isIncluded(value) ? .value(value) : .skip
  }
}

extension Publisher {
  /// Delivers only the values for which a closure returns true.
  ///
  /// ![1 is left out, because the closure rejects it.](filter)
  ///
  /// - Parameter isIncluded: The closure, called once for each value and subscriber on the
  ///   delivering thread.
  /// - Returns: A publisher of those values. A value that is left out does not count against
  ///   demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let even = (1...6).publisher.filter { $0.isMultiple(of: 2) }.sink { print($0) }
  /// even.cancel()
  /// // Prints:
  /// // 2
  /// // 4
  /// // 6
  /// ```
  @preconcurrency
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  /// Delivers the values that a closure accepts, and fails when the closure throws.
  ///
  /// ![1 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-filter)
  ///
  /// - Parameter isIncluded: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher of those values. A value that is left out does not count against
  ///   demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 5, -1, 7].publisher.tryFilter { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 5
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryFilter(_ isIncluded: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryFilter<Self>
  {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}
