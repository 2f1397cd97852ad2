extension Publishers {
  /// A publisher of the greatest value of its upstream, which fails when its order throws.
  @frozen
  public struct TryComparison<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The error that the closure throws, or the upstream's failure.
    public typealias Failure = any Error

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that returns whether its first argument is less than its second.
    @preconcurrency public let areInIncreasingOrder:
      @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    /// Creates a publisher of the greatest value of `upstream`.
    @inlinable
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
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: FinalStepSubscription(Step(areInIncreasingOrder), nil, downstream: subscriber))
    }
  }
}

extension Publishers.TryComparison: Sendable where Upstream: Sendable {}

extension Publishers.TryComparison {
  /// The state is the greatest value so far.
  @usableFromInline
  package struct Step: FinalStep {
    @usableFromInline let areInIncreasingOrder:
      @Sendable (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable
    init(
      _ areInIncreasingOrder: @escaping @Sendable (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable package static var name: StaticString? { "TryComparison" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Upstream.Output?
    ) -> StepResult<Upstream.Output, any Error> {
      do {
        guard let known = state else {
          state = value
          return .ignore
        }
        if try areInIncreasingOrder(known, value) { state = value }
        return .ignore
      } catch {
        return .failure(error)
      }
    }

    @inlinable
    package func result(_ state: Upstream.Output?) -> Upstream.Output? { state }

    @inlinable
    package func failure(_ error: Upstream.Failure) -> any Error { error }
  }
}

extension Publisher {
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
  @inlinable
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
