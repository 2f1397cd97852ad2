public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of a publisher that a closure creates, and of the next one when that
  /// has finished.
  public struct FlatMapFirst<NewPublisher: Publisher, Upstream: Publisher>: Publisher,
    CreatedOutput,
    UpstreamFailure
  where NewPublisher.Failure == Upstream.Failure {
    /// The upstream publisher, from whose values publishers are created.
    @usableFromInline package let upstream: Upstream
    /// The closure that creates a publisher from a value.
    @usableFromInline package let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Creates a publisher of the values of one created publisher at a time.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher, from whose values publishers are created.
    ///   - transform: The closure that creates a publisher from a value.
    package init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the specified subscriber, which receives its subscription before the upstream is
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == NewPublisher.Output, S.Failure == Failure {
      let parent = FlatMap(upstream: upstream, maxPublishers: .max(1), transform: transform)
      parent.attach(subscriber, skips: true)
    }
  }
}

extension Publishers.FlatMapFirst: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Transforms a value into a publisher, and leaves out the values that come before that has
  /// finished.
  ///
  /// ![A publisher is made of a value. 2 comes before it has finished, and is left out.](flat-map-first)
  ///
  /// Use it where a second request makes no sense while the first one runs: a button that sends a
  /// form. Combine has no such operator; other libraries call it `exhaustMap`.
  /// ``flatMapLatest(_:)`` cancels the first one instead.
  ///
  /// - Demand: this publisher is asked for everything. The created one is asked for one value at a
  ///   time, and for the next one when that value has been delivered; if the subscriber requests
  ///   everything, so does the operator.
  /// - Completion: when this publisher and the created one have finished.
  /// - Failure: of this publisher or of the created one. It cancels the other, and arrives behind
  ///   the waiting values.
  /// - Cancel: cancels this publisher and the created one.
  /// - Concurrency: publishers may deliver on different threads. One of these threads delivers for
  ///   all.
  /// - Cost: one object and its part for each created publisher.
  ///
  /// - Parameter transform: The closure that creates a publisher from a value. It is not called for
  ///   a value that is left out.
  /// - Returns: A publisher of the created publishers' values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let taps = PassthroughSubject<Int, Never>()
  /// let answer = PassthroughSubject<String, Never>()
  /// let sent = taps.flatMapFirst { tap in
  ///   answer.first().map { "tap \(tap): \($0)" }
  /// }.sink { print($0) }
  /// taps.send(1)
  /// taps.send(2)
  /// answer.send("saved")
  /// taps.send(3)
  /// answer.send("saved again")
  /// sent.cancel()
  /// // Prints:
  /// // tap 1: saved
  /// // tap 3: saved again
  /// ```
  @preconcurrency
  public func flatMapFirst<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMapFirst<P, Self> where P.Failure == Failure {
    Publishers.FlatMapFirst(upstream: self, transform: transform)
  }
}
