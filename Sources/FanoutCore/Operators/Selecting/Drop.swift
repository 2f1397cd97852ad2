public import FanoutEngine

extension Publishers {
  /// A publisher that leaves out the first values of its upstream.
  public struct Drop<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The number of values that are left out.
    public let count: Int

    /// Creates a publisher that leaves out the first `count` values of `upstream`.
    public init(upstream: Upstream, count: Int) {
      trap(unless: count >= 0, "dropFirst(\(count)): a count cannot be negative; pass 0 or more.")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches the specified subscriber, and requests the values that are left out at once.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let step = ClosureStep<Self, Upstream.Output, Int, Nonthrowing<Failure>> { value, left in
        if left == 0 { return .value(value) }
        left -= 1
        return .ignore
      }
      // Requested in advance, so that a value that is left out needs no demand of the subscriber's.
      let credit = Credit(rawValue: UInt(count))
      upstream.receive(
        subscriber: StepSubscription(
          step, count, name: "Drop", initialCredit: credit, downstream: subscriber))
    }
  }
}

extension Publishers.Drop: Sendable where Upstream: Sendable {}
extension Publishers.Drop: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Leaves out the first values.
  ///
  /// ![The first two values are left out.](drop-first)
  ///
  /// - Parameter count: The number of values to leave out, 0 or more; a negative number traps.
  /// - Returns: A publisher of the values that follow. It requests the values that it leaves out at
  ///   once, whatever its subscriber requests.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let rest = (1...4).publisher.dropFirst(2).sink { print($0) }
  /// rest.cancel()
  /// // Prints:
  /// // 3
  /// // 4
  /// ```
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}
