extension Publishers {
  /// A publisher of the greatest value of its upstream.
  @frozen
  public struct Comparison<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether its first argument is less than its second.
    @preconcurrency public let areInIncreasingOrder:
      @Sendable (Upstream.Output, Upstream.Output) -> Bool

    /// Creates a publisher of the greatest value of `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream,
      areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ComparisonStep<Self, Nonthrowing<Failure>>(areInIncreasingOrder)
      upstream.receive(
        subscriber: FinalOptionalSubscription(step, nil, name: "Comparison", downstream: subscriber)
      )
    }
  }
}

extension Publishers.Comparison: Sendable where Upstream: Sendable {}

extension Publishers {
  /// A publisher of the greatest value of its upstream, which fails when its order throws.
  @frozen
  public struct TryComparison<Upstream: Publisher>: Publisher, UpstreamOutput, ErrorFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether its first argument is less than its second.
    @preconcurrency public let areInIncreasingOrder:
      @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher of the greatest value of `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream,
      areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ComparisonStep<Self, Throwing<Upstream.Failure>>(areInIncreasingOrder)
      upstream.receive(
        subscriber: FinalOptionalSubscription(
          step, nil, name: "TryComparison", downstream: subscriber))
    }
  }
}

extension Publishers.TryComparison: Sendable where Upstream: Sendable {}

/// The step of an operator that delivers the greatest value; its state is the greatest one so far.
@frozen @usableFromInline
package struct ComparisonStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let areInIncreasingOrder:
    @Sendable (Operator.Output, Operator.Output) throws -> Bool

  @inlinable
  init(
    _ areInIncreasingOrder: @escaping @Sendable (Operator.Output, Operator.Output) throws -> Bool
  ) { self.areInIncreasingOrder = areInIncreasingOrder }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Operator.Output?
  ) throws -> StepResult<Operator.Output, Errors.Failure> {
    if let known = state, try !areInIncreasingOrder(known, value) { return .ignore }
    state = value
    return .ignore
  }
}

extension Publisher {
  /// Delivers the greatest value by an order of your own, once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the longest text, and finishes.](max-by)
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called for each value but the first.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = ["plum", "fig", "banana"].publisher.max { $0.count < $1.count }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // banana
  /// // finished
  /// ```
  @preconcurrency
  public func max(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Delivers the least value by an order of your own, once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the shortest text, and finishes.](min-by)
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called for each value but the first.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = ["plum", "fig", "banana"].publisher.min { $0.count < $1.count }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // fig
  /// // finished
  /// ```
  @inlinable
  @preconcurrency
  public func min(by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool)
    -> Publishers.Comparison<Self>
  {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Delivers the greatest value by an order of your own, once the upstream has finished, or fails
  /// when the order throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-max)
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called for each value but the first. When it throws, the upstream is
  ///   cancelled and the subscriber fails with the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [3, -1, 4].publisher.tryMax { one, other in
  ///   if other < 0 { throw Negative() }
  ///   return one < other
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @preconcurrency
  public func tryMax(by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool)
    -> Publishers.TryComparison<Self>
  {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Delivers the least value by an order of your own, once the upstream has finished, or fails
  /// when the order throws.
  ///
  /// ![For -1 the closure throws: the subscriber fails without a value, and the upstream is cancelled.](try-min)
  ///
  /// - Parameter areInIncreasingOrder: The closure that returns whether its first argument is less
  ///   than its second, called for each value but the first. When it throws, the upstream is
  ///   cancelled and the subscriber fails with the error.
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Negative: Error {}
  /// let printed = [3, -1, 4].publisher.tryMin { one, other in
  ///   if other < 0 { throw Negative() }
  ///   return one < other
  /// }.sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.Negative())
  /// ```
  @inlinable
  @preconcurrency
  public func tryMin(by areInIncreasingOrder: @escaping @Sendable (Output, Output) throws -> Bool)
    -> Publishers.TryComparison<Self>
  {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }
}

extension Publisher where Output: Comparable {
  /// Delivers the greatest value once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the greatest value, and finishes.](max)
  ///
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = [3, 1, 2].publisher.max().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 3
  /// // finished
  /// ```
  @inlinable
  @preconcurrency
  public func max() -> Publishers.Comparison<Self> where Output: SendableMetatype {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: stateless(<))
  }

  /// Delivers the least value once the upstream has finished.
  ///
  /// ![When the upstream finishes, the subscriber receives the smallest value, and finishes.](min)
  ///
  /// - Returns: A publisher that requests everything from its upstream, and delivers the result
  ///   when its subscriber requests it. Of equal values it delivers the first. It finishes without
  ///   a value if there was none.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = [3, 1, 2].publisher.min().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // finished
  /// ```
  @inlinable
  @preconcurrency
  public func min() -> Publishers.Comparison<Self> where Output: SendableMetatype {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: stateless(>))
  }
}
