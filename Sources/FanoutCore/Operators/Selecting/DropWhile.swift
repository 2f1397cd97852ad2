extension Publishers {
  /// A publisher that leaves out its upstream's values until a closure rejects one.
  @frozen
  public struct DropWhile<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is left out.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the values of `upstream` from the first that `predicate` rejects.
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = DropWhileStep<Self, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, false, name: "DropWhile", downstream: subscriber))
    }
  }
}

extension Publishers.DropWhile: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher that leaves out its upstream's values until a closure rejects one; it fails when
  /// the closure throws.
  @frozen
  public struct TryDropWhile<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is left out.
    @preconcurrency public let predicate: @Sendable (Upstream.Output) throws -> Bool

    /// Creates a publisher of the values of `upstream` from the first that `predicate` rejects.
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
      let step = DropWhileStep<Self, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, false, name: "TryDropWhile", downstream: subscriber))
    }
  }
}

extension Publishers.TryDropWhile: Sendable where Upstream: Sendable {}

/// The step of an operator that leaves out values until one does not satisfy a predicate; its state
/// is whether there was one.
@frozen @usableFromInline
package struct DropWhileStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let predicate: @Sendable (Operator.Output) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Operator.Output) throws -> Bool) {
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Bool
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    if !state, try predicate(value) { return .skip }
    state = true
    return .value(value)
  }
}

extension Publisher {
  /// Leaves out values until a closure rejects one, and delivers that one and all that follow.
  ///
  /// ![Values are left out until 3, which the closure rejects; the 1 behind it is delivered.](drop-while)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false.
  /// - Returns: A publisher of the values from the first that is rejected. A value that is left out
  ///   does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = [1, 2, 5, 1].publisher.drop { $0 < 3 }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 5
  /// // 1
  /// // finished
  /// ```
  @preconcurrency
  public func drop(while predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.DropWhile<Self>
  {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Leaves out values until a closure rejects one, and delivers that one and all that follow, or
  /// fails when the closure throws.
  ///
  /// ![For -1 the closure throws while values are left out: the subscriber fails, and the upstream is cancelled.](try-drop)
  ///
  /// - Parameter predicate: The closure, called once for each value and subscriber on the
  ///   delivering thread until it returns false. When it throws, the upstream is cancelled and the
  ///   subscriber fails with the error.
  /// - Returns: A publisher of the values from the first that is rejected. A value that is left out
  ///   does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, -1, 5].publisher.tryDrop { number in
  ///   if number < 0 { throw Negative() }
  ///   return number < 3
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryDrop(while predicate: @escaping @Sendable (Output) throws -> Bool)
    -> Publishers.TryDropWhile<Self>
  {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}
