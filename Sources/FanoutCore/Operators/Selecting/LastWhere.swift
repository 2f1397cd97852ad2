extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts.
  @frozen
  public struct LastWhere<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = LastWhereStep<Self, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: FinalOptionalSubscription(step, nil, name: "LastWhere", downstream: subscriber))
    }
  }
}

extension Publishers.LastWhere: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of the last value of its upstream that a closure accepts; it fails when the
  /// closure throws.
  @frozen
  public struct TryLastWhere<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the last value of `upstream` that `predicate` accepts.
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
      let step = LastWhereStep<Self, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: FinalOptionalSubscription(
          step, nil, name: "TryLastWhere", downstream: subscriber))
    }
  }
}

extension Publishers.TryLastWhere: Sendable where Upstream: Sendable {}

/// The step of an operator that delivers the last value that satisfies a predicate, which is its
/// state.
@frozen @usableFromInline
package struct LastWhereStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let predicate: @Sendable (Operator.Output) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Operator.Output) throws -> Bool) {
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Operator.Output?
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    if try predicate(value) { state = value }
    return .ignore
  }
}

extension Publisher {
  /// Delivers the last value that a closure accepts, once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the last value that is smaller than 3, and finishes.](last-where)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if the closure has accepted none. A
  ///   failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...9).publisher.last { $0 < 5 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 4
  /// // finished
  /// ```
  @preconcurrency
  public func last(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.LastWhere<Self>
  {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Delivers the last value that a closure accepts, once the upstream has finished, or fails when
  /// the closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-last)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread. When it throws, the upstream is cancelled and the subscriber fails with
  ///   the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the value when
  ///   its subscriber requests it. It finishes without a value if the closure has accepted none. A
  ///   failure passes without a value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryLast { number in
  ///   if number < 0 { throw Negative() }
  ///   return number > 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryLast(where predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryLastWhere<Self>
  {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}
