extension Publishers {
  /// A publisher of its upstream's values until a closure rejects one.
  @frozen
  public struct PrefixWhile<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the values of `upstream` until `predicate` rejects one.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = PrefixWhileStep<Self, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "PrefixWhile", downstream: subscriber))
    }
  }
}

extension Publishers.PrefixWhile: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of its upstream's values until a closure rejects one; it fails when the closure
  /// throws.
  @frozen
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the values of `upstream` until `predicate` rejects one.
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
      let step = PrefixWhileStep<Self, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, (), name: "TryPrefixWhile", downstream: subscriber))
    }
  }
}

extension Publishers.TryPrefixWhile: Sendable where Upstream: Sendable {}

/// The step of an operator that finishes at the first value that does not satisfy a predicate.
@frozen @usableFromInline
package struct PrefixWhileStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
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
    try predicate(value) ? .value(value) : .finished
  }
}

extension Publisher {
  /// Delivers values until a closure rejects one, then finishes and cancels its upstream.
  ///
  /// ![The closure rejects 3: in its place the subscriber finishes, and the upstream is cancelled.](prefix-while)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false.
  /// - Returns: A publisher of the values before the one that is rejected. Demand and cancel pass
  ///   through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...9).publisher.prefix { $0 < 3 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // finished
  /// ```
  @preconcurrency
  public func prefix(while predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.PrefixWhile<Self>
  {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Delivers values until a closure rejects one, then finishes and cancels its upstream, or fails
  /// when the closure throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-prefix)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false. When it throws, the upstream is cancelled and the
  ///   subscriber fails with the error.
  /// - Returns: A publisher of the values before the one that is rejected. Demand and cancel pass
  ///   through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryPrefix { number in
  ///   if number < 0 { throw Negative() }
  ///   return number < 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryPrefix(while predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryPrefixWhile<Self>
  {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}
