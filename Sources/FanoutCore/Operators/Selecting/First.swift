extension Publishers {
  /// A publisher of the first value of its upstream.
  public struct First<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the first value of `upstream`.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: FinalStepSubscription(Step(), (), downstream: subscriber))
    }
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}
extension Publishers.First: Equatable where Upstream: Equatable {}

extension Publishers.First {
  @frozen @usableFromInline
  package struct Step: FinalStep {
    @inlinable init() {}

    @inlinable package static var name: StaticString? { "First" }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Upstream.Output, Upstream.Failure> {
      .last(value)
    }

    @inlinable
    package func result(_ state: Void) -> Upstream.Output? { nil }
  }
}

extension Publisher {
  /// Delivers the first value, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives the first value and finishes; the upstream is cancelled.](first)
  ///
  /// - Returns: A publisher that requests everything from its upstream, cancels it at the first value, and
  ///   delivers that value when its subscriber requests it. It finishes without a value if its upstream
  ///   does.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let first = (7...9).publisher.first().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// first.cancel()
  /// // Prints:
  /// // 7
  /// // finished
  /// ```
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }
}
