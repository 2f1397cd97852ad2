extension Publishers {
  /// A publisher that leaves out each value that equals the one before it.
  @frozen
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether two successive values are the same.
    @preconcurrency public let predicate: @Sendable (Upstream.Output, Upstream.Output) -> Bool

    /// Creates a publisher that leaves out each value of `upstream` that `predicate` finds the
    /// same.
    @preconcurrency
    public init(
      upstream: Upstream, predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = RemoveDuplicatesStep<Self, Nonthrowing<Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, nil, name: "RemoveDuplicates", downstream: subscriber))
    }
  }
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher that leaves out each value that equals the one before it, and fails when the
  /// comparison throws.
  @frozen
  public struct TryRemoveDuplicates<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether two successive values are the same.
    @preconcurrency public let predicate:
      @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher that leaves out each value of `upstream` that `predicate` finds the
    /// same.
    @preconcurrency
    public init(
      upstream: Upstream,
      predicate: @escaping @Sendable (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = RemoveDuplicatesStep<Self, Throwing<Upstream.Failure>>(predicate)
      upstream.receive(
        subscriber: StepSubscription(step, nil, name: "TryRemoveDuplicates", downstream: subscriber)
      )
    }
  }
}

extension Publishers.TryRemoveDuplicates: Sendable where Upstream: Sendable {}

/// The step of an operator that leaves out a value that is equal to the one before it, which is its
/// state.
@frozen @usableFromInline
package struct RemoveDuplicatesStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let predicate: @Sendable (Operator.Output, Operator.Output) throws -> Bool

  @inlinable
  init(_ predicate: @escaping @Sendable (Operator.Output, Operator.Output) throws -> Bool) {
    self.predicate = predicate
  }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Operator.Output?
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    let known = state
    state = value
    guard let known, try predicate(known, value) else { return .value(value) }
    return .skip
  }
}

extension Publisher {
  /// Leaves out each value that a closure finds the same as the one before it.
  ///
  /// ![A value that is as the one before it, to the closure, is left out: 3 is odd as 1 is.](remove-duplicates-by)
  ///
  /// - Parameter predicate: The closure, called with the previous value, also if that was left out,
  ///   and the new one. The delivering thread calls it for each value except the first, once for
  ///   each subscriber.
  /// - Returns: A publisher of the other values. A value that is left out does not count against
  ///   demand. The publisher retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let tens = [11, 14, 25, 21, 30].publisher.removeDuplicates { $0 / 10 == $1 / 10 }
  ///   .sink { print($0) }
  /// tens.cancel()
  /// // Prints:
  /// // 11
  /// // 25
  /// // 30
  /// ```
  @preconcurrency
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Leaves out each value that a closure finds the same as the one before it, and fails when the
  /// closure throws.
  ///
  /// ![The second 1 is left out; for -1 the closure throws: the subscriber fails, and the upstream is cancelled.](try-remove-duplicates)
  ///
  /// - Parameter predicate: The closure, called with the value before, delivered or left out, and
  ///   the new value. When it throws, the upstream is cancelled and the subscriber fails with the
  ///   error.
  /// - Returns: A publisher of the other values. A value that is left out does not count against
  ///   demand. The publisher retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [1, 1, 2, -1].publisher.tryRemoveDuplicates { one, other in
  ///   if other < 0 { throw Negative() }
  ///   return one == other
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryRemoveDuplicates(by predicate: @escaping @Sendable (Output, Output) throws -> Bool)
    -> Publishers.TryRemoveDuplicates<Self>
  {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Leaves out each value that equals the one before it.
  ///
  /// ![A value that equals the one before it is left out; the last 1 follows a 2.](remove-duplicates)
  ///
  /// - Returns: A publisher of the other values. A value that is left out does not count against
  ///   demand. The publisher retains one value for each subscriber.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let changes = [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }
  /// changes.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // 1
  /// ```
  @inlinable
  @preconcurrency
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self>
  where Output: SendableMetatype {
    removeDuplicates(by: stateless(==))
  }
}
