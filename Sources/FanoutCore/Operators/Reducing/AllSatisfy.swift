extension Publishers {
  /// A publisher of whether a closure accepts all values of its upstream.
  @frozen
  public struct AllSatisfy<Upstream: Publisher>: Publisher, BoolOutput, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of whether `predicate` accepts all values of `upstream`.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Bool, S.Failure == Failure {
      let step = AllSatisfyStep<Self, Upstream.Output, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: FinalStateSubscription(step, true, name: "AllSatisfy", downstream: subscriber))
    }
  }
}

extension Publishers.AllSatisfy: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of whether a closure accepts all values of its upstream; it fails when the closure
  /// throws.
  @frozen
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher, BoolOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether it accepts a value.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of whether `predicate` accepts all values of `upstream`.
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
      let step = AllSatisfyStep<Self, Upstream.Output, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: FinalStateSubscription(
          step, true, name: "TryAllSatisfy", downstream: subscriber))
    }
  }
}

extension Publishers.TryAllSatisfy: Sendable where Upstream: Sendable {}

/// The step of an operator that finds out whether all values satisfy a predicate; its
/// state is the result if they do.
@frozen @usableFromInline
package struct AllSatisfyStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure, Operator.Output == Bool {
  @usableFromInline let predicate: @Sendable (Input) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Input) throws -> Bool) { self.predicate = predicate }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ state: inout Bool
  ) throws -> StepResult<Bool, Errors.Failure> {
    try predicate(value) ? .ignore : .last(false)
  }
}

extension Publisher {
  /// Delivers whether a closure accepts all values.
  ///
  /// ![When 7 comes, which the closure rejects, the subscriber receives false, and finishes; the upstream is cancelled.](all-satisfy)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false.
  /// - Returns: A publisher that delivers false and cancels its upstream at the first rejected
  ///   value, or true once the upstream has finished, also without a value. It requests everything
  ///   from its upstream, and delivers the result when its subscriber requests it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.allSatisfy { $0 < 4 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // true
  /// // finished
  /// ```
  @preconcurrency
  public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.AllSatisfy<Self>
  {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Delivers whether a closure accepts all values, or fails when the closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-all-satisfy)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false. When it throws, the upstream is cancelled and the
  ///   subscriber fails with the error.
  /// - Returns: A publisher that delivers false and cancels its upstream at the first rejected
  ///   value, or true once the upstream has finished, also without a value. It requests everything
  ///   from its upstream, and delivers the result when its subscriber requests it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryAllSatisfy { number in
  ///   if number < 0 { throw Negative() }
  ///   return number < 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryAllSatisfy(_ predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryAllSatisfy<Self>
  {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}
