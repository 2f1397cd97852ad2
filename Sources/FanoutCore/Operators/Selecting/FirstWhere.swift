extension Publishers {
  /// A publisher of the first value of its upstream that a closure accepts.
  @frozen
  public struct FirstWhere<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the first value of `upstream` that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = FirstWhereStep<Self, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: FinalStepSubscription(step, (), name: "FirstWhere", downstream: subscriber))
    }
  }
}

extension Publishers.FirstWhere: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of the first value of its upstream that a closure accepts; it fails when the
  /// closure throws.
  @frozen
  public struct TryFirstWhere<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the first value of `upstream` that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) throws -> Bool)
    {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = FirstWhereStep<Self, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: FinalStepSubscription(step, (), name: "TryFirstWhere", downstream: subscriber))
    }
  }
}

extension Publishers.TryFirstWhere: Sendable where Upstream: Sendable {}

/// The step of an operator that delivers the first value that satisfies a predicate.
@frozen @usableFromInline
package struct FirstWhereStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let predicate: @Sendable (Operator.Output) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Operator.Output) throws -> Bool) {
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Void
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    try predicate(value) ? .last(value) : .ignore
  }
}

extension Publisher {
  /// Delivers the first value that a closure accepts, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives the first value that is greater than 2, and finishes; the upstream is cancelled.](first-where)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns true.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if its upstream finishes before the
  ///   closure has accepted one.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...9).publisher.first { $0 > 3 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 4
  /// // finished
  /// ```
  @preconcurrency
  public func first(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.FirstWhere<Self>
  {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Delivers the first value that a closure accepts, then finishes and cancels its upstream, or
  /// fails when the closure throws.
  ///
  /// ![For -1 the closure throws before a value is greater than 2: the subscriber fails, and the upstream is cancelled.](try-first)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns true. When it throws, the upstream is cancelled and the
  ///   subscriber fails with the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if its upstream finishes before the
  ///   closure has accepted one.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryFirst { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryFirst(where predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryFirstWhere<Self>
  {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}
