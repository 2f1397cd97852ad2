internal import FanoutEngine

extension Publishers {
  /// A publisher of arrays with a fixed number of the upstream's values.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// An array of values of the upstream.
    public typealias Output = [Upstream.Output]
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

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
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TrailingStepSubscription(Step(count), [], downstream: subscriber))
    }
  }
}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}
extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount {
  /// The state is the array that is not full yet.
  @frozen @usableFromInline
  package struct Step: TrailingStep {
    @usableFromInline let count: Int

    @inlinable
    init(_ count: Int) { self.count = count }

    @inlinable package static var name: StaticString? { "CollectByCount" }

    /// The number of values for which there is room at once; a larger array grows.
    @inlinable static var reserved: Int { 256 }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout [Upstream.Output]
    ) -> StepResult<[Upstream.Output], Upstream.Failure> {
      if state.isEmpty { state.reserveCapacity(Swift.min(count, Self.reserved)) }
      state.append(value)
      guard state.count == count else { return .ignore }
      let full = state
      state = []
      return .value(full)
    }

    @inlinable
    package func upstreamDemand(for demand: Subscribers.Demand) -> Subscribers.Demand {
      demand * count
    }

    @inlinable
    package func trailing(_ state: [Upstream.Output]) -> [Upstream.Output]? {
      state.isEmpty ? nil : state
    }
  }
}

extension Publisher {
  /// Delivers arrays with a fixed number of values.
  ///
  /// ![Every two values arrive as an array; when the upstream finishes, the rest does, and then the finish.](collect-by-count)
  ///
  /// - Demand: exact. For each requested array `count` values are requested.
  /// - Completion: at the finish the values that are left make a shorter array, which waits until it is
  ///   requested.
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
