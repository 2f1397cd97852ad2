extension Publishers {
  /// A publisher that leaves out each value that equals the one before it.
  @frozen
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether two successive values are the same.
    @preconcurrency public let predicate: @Sendable (Output, Output) -> Bool

    /// Creates a publisher that leaves out each value of `upstream` that `predicate` finds the same.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, predicate: @escaping @Sendable (Output, Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(predicate), nil, downstream: subscriber))
    }
  }
}

extension Publishers.RemoveDuplicates: Sendable where Upstream: Sendable {}

extension Publishers.RemoveDuplicates {
  /// The state is the last value.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let predicate: @Sendable (Output, Output) -> Bool

    @inlinable
    init(_ predicate: @escaping @Sendable (Output, Output) -> Bool) { self.predicate = predicate }

    @inlinable package static var name: StaticString? { "RemoveDuplicates" }

    /// Compares a value with the one before, which is released here: its `deinit` may cancel.
    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      let known = state
      state = value
      let isSame = known.map { predicate($0, value) } ?? false
      return isSame ? .skip : .value(value)
    }
  }
}

extension Publisher {
  /// Leaves out each value that a closure finds the same as the one before it.
  ///
  /// ![A value that is as the one before it, to the closure, is left out: 3 is odd as 1 is.](remove-duplicates-by)
  ///
  /// - Parameter predicate: The closure, called with the value before, delivered or left out, and the new
  ///   value: once for each value but the first and each subscriber, on the delivering thread.
  /// - Returns: A publisher of the other values. A value that is left out does not count against demand. The
  ///   publisher retains one value for each subscriber.
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
  @inlinable
  @preconcurrency
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Leaves out each value that equals the one before it.
  ///
  /// ![A value that equals the one before it is left out; the last 1 follows a 2.](remove-duplicates)
  ///
  /// - Returns: A publisher of the other values. A value that is left out does not count against demand. The
  ///   publisher retains one value for each subscriber.
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
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: stateless(==))
  }
}
