extension Publishers {
  /// A publisher that delivers a value in place of its upstream's failure.
  public struct ReplaceError<Upstream: Publisher>: Publisher, UpstreamOutput, NeverFailure {
    /// The value that replaces the failure.
    public let output: Upstream.Output
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher that delivers `output` in place of the failure of `upstream`.
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Never {
      let step = FailureStep<Self, Upstream.Failure, Upstream.Output> { error in
        fatalError("replaceError(with:) has a value in place of \(error).")
      }
      upstream.receive(
        subscriber: ReplacingSubscription(
          step, output, name: "ReplaceError", downstream: subscriber))
    }
  }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {
}

extension Publisher {
  /// Delivers a value in place of a failure, and finishes.
  ///
  /// ![In place of the failure the subscriber receives 0, and finishes.](replace-error)
  ///
  /// - Parameter output: The value. It waits until the subscriber requests it, and `.finished`
  ///   follows it.
  /// - Returns: A publisher that never fails. Demand, `.finished` and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// let answer = Fail<Int, Offline>(error: Offline()).replaceError(with: 0)
  /// let printed = answer.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 0
  /// // finished
  /// ```
  @preconcurrency
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self>
  where Output: Sendable {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}
