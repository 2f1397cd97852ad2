extension Publishers {
  /// A publisher of the upstream's values for which a closure returns true.
  @frozen
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether a value is delivered.
    @preconcurrency public let isIncluded: @Sendable (Upstream.Output) -> Bool

    /// Creates a publisher of the values of `upstream` for which `isIncluded` returns true.
    @inlinable
    @preconcurrency
    public init(upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(isIncluded), downstream: subscriber))
    }
  }
}

extension Publishers.Filter: Sendable where Upstream: Sendable {}

extension Publishers.Filter {
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline let isIncluded: @Sendable (Upstream.Output) -> Bool

    @inlinable
    init(_ isIncluded: @escaping @Sendable (Upstream.Output) -> Bool) {
      self.isIncluded = isIncluded
    }

    @inlinable package static var name: StaticString? { "Filter" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      isIncluded(value) ? .value(value) : .skip
    }
  }
}

extension Publisher {
  /// Delivers only the values for which a closure returns true.
  ///
  /// ![1 is left out, because the closure rejects it.](filter)
  ///
  /// - Parameter isIncluded: The closure, called once for each value and subscriber on the delivering thread.
  /// - Returns: A publisher of those values. A value that is left out does not count against demand.
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
  @inlinable
  @preconcurrency
  public func filter(
    _ isIncluded: @escaping @Sendable (Output) -> Bool
  ) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}
