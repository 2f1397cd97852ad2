extension Publishers {
  /// A publisher of whether its upstream delivers a value that a closure accepts.
  @frozen
  public struct ContainsWhere<Upstream: Publisher>: Publisher, BoolOutput, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of whether `upstream` delivers a value that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Bool, S.Failure == Failure {
      let step = ContainsWhereStep<Self, Upstream.Output, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: SearchSubscription(step, (), name: "ContainsWhere", downstream: subscriber))
    }
  }
}

extension Publishers.ContainsWhere: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of whether its upstream delivers a value that a closure accepts; it fails when the
  /// closure throws.
  @frozen
  public struct TryContainsWhere<Upstream: Publisher>: Publisher, BoolOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of whether `upstream` delivers a value that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws -> Bool)
    {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Bool, S.Failure == Failure {
      let step = ContainsWhereStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: SearchSubscription(
          step, (), name: "TryContainsWhere", downstream: subscriber))
    }
  }
}

extension Publishers.TryContainsWhere: Sendable where Upstream: Sendable {}

/// The step of an operator that finds out whether a value satisfies a predicate.
@frozen @usableFromInline
package struct ContainsWhereStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure, Operator.Output == Bool {
  @usableFromInline let predicate: @Sendable (Input) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Input) throws -> Bool) { self.predicate = predicate }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Void
  ) throws -> StepResult<Bool, Errors.Failure> {
    try predicate(value) ? .last(true) : .ignore
  }
}

extension Publisher {
  /// Delivers whether the upstream delivers a value that a closure accepts.
  ///
  /// ![When the upstream finishes and no value was greater than 5, the subscriber receives false, and finishes.](contains-where)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns true.
  /// - Returns: A publisher that delivers true and cancels its upstream at the first accepted
  ///   value, or false once the upstream has finished. It requests everything from its upstream,
  ///   and delivers the result when its subscriber requests it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.contains { $0 > 3 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // false
  /// // finished
  /// ```
  @preconcurrency
  public func contains(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Delivers whether the upstream delivers a value that a closure accepts, or fails when the
  /// closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-contains)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns true. When it throws, the upstream is cancelled and the
  ///   subscriber fails with the error.
  /// - Returns: A publisher that delivers true and cancels its upstream at the first accepted
  ///   value, or false once the upstream has finished. It requests everything from its upstream,
  ///   and delivers the result when its subscriber requests it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryContains { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryContains(where predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryContainsWhere<Self>
  {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}
