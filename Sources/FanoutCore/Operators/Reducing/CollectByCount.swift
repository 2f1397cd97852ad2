internal import FanoutEngine

extension Publishers {
  /// A publisher of arrays with a fixed number of the upstream's values.
  public struct CollectByCount<Upstream: Publisher>: Publisher, ArrayOutput, UpstreamFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The number of values in each array.
    public let count: Int

    /// Creates a publisher of arrays of `count` values of `upstream`.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - count: The number of values in each array, 1 or more.
    public init(upstream: Upstream, count: Int) {
      trap(
        unless: count > 0,
        "collect(\(count)): an array cannot have that number of values; pass 1 or more.")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == [Upstream.Output], S.Failure == Failure {
      let step = CollectByCountStep<Self, Upstream.Output, Nonthrowing<Failure>>(count)
      upstream.receive(
        subscriber: TrailingArraySubscription(
          step, [], name: "CollectByCount", inputsPerOutput: count, downstream: subscriber))
    }
  }
}

/// The step of the operator; its state is the values of the array that is not full.
@frozen @usableFromInline
package struct CollectByCountStep<Operator: Publisher, Input, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure, Operator.Output == [Input] {
  @usableFromInline let count: Int

  @inlinable
  init(_ count: Int) { self.count = count }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Input, _ values: inout [Input]
  ) -> StepResult<[Input], Errors.Failure> {
    // There is room at once for this number of values at most; a larger array grows.
    if values.isEmpty { values.reserveCapacity(Swift.min(count, 256)) }
    values.append(value)
    guard values.count == count else { return .ignore }
    let full = values
    values = []
    return .value(full)
  }
}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}
extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers arrays with a fixed number of values.
  ///
  /// ![Every two values arrive as an array; when the upstream finishes, the rest does, and then the finish.](collect-by-count)
  ///
  /// - Demand: exact. For each requested array `count` values are requested.
  /// - Completion: at the finish the values that are left make a shorter array, which waits until
  ///   it is requested.
  /// - Failure: passes at once, and releases the values that are left, as a cancel does.
  ///
  /// - Parameter count: The number of values in each array, 1 or more.
  /// - Returns: A publisher of arrays.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let pairs = (1...5).publisher.collect(2).sink { print($0) }
  /// pairs.cancel()
  /// // Prints:
  /// // [1, 2]
  /// // [3, 4]
  /// // [5]
  /// ```
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
