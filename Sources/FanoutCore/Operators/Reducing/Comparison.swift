extension Publishers {
  /// A publisher of the greatest value of its upstream.
  @frozen
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether its first argument is less than its second.
    @preconcurrency public let areInIncreasingOrder:
      @Sendable (Upstream.Output, Upstream.Output) -> Bool

    /// Creates a publisher of the greatest value of `upstream`.
    @inlinable
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
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: FinalStepSubscription(Step(areInIncreasingOrder), nil, downstream: subscriber))
    }
  }
}

extension Publishers.Comparison: Sendable where Upstream: Sendable {}

extension Publishers.Comparison {
  /// The state is the greatest value so far.
  @usableFromInline
  package struct Step: FinalStep {
    @usableFromInline let areInIncreasingOrder: @Sendable (Upstream.Output, Upstream.Output) -> Bool

    @inlinable
    init(_ areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) -> Bool) {
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable package static var name: StaticString? { "Comparison" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      guard let known = state else {
        state = value
        return .ignore
      }
      if areInIncreasingOrder(known, value) { state = value }
      return .ignore
    }

    @inlinable
    package func result(_ state: Upstream.Output?) -> Upstream.Output? { state }
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
  @inlinable
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
  public func max() -> Publishers.Comparison<Self> {
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
  public func min() -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: stateless(>))
  }
}
