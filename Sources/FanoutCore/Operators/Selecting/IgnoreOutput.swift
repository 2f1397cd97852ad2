public import FanoutEngine

extension Publishers {
  /// A publisher of the end of its upstream, without the values.
  @frozen
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// No values.
    public typealias Output = Never
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher of the end of `upstream`.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: StepSubscription(Step(), (), downstream: subscriber))
    }
  }
}

extension Publishers.IgnoreOutput: Sendable where Upstream: Sendable {}
extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

extension Publishers.IgnoreOutput {
  @frozen @usableFromInline
  package struct Step: ValueStep {
    @inlinable
    init() {}

    @inlinable package static var name: StaticString? { "IgnoreOutput" }
    @inlinable package static var mayCancel: Bool { false }
    @inlinable package var initialCredit: Credit { .unlimited }

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Never, Upstream.Failure> {
      .ignore
    }
  }
}

extension Publisher {
  /// Leaves out every value, and delivers the completion.
  ///
  /// ![Every value is left out, and the subscriber receives the finish.](ignore-output)
  ///
  /// - Returns: A publisher that requests everything from its upstream, whatever its subscriber
  ///   requests, and delivers only its completion.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...3).publisher.ignoreOutput().sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { _ in })
  /// printed.cancel()
  /// // Prints:
  /// // finished
  /// ```
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}
