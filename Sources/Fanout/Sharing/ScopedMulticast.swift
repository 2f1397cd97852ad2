extension Publishers {
  /// A publisher that uses one subscription to its upstream several times within a pipeline.
  ///
  /// For every subscriber it makes a ``Multicast`` of the upstream, builds the pipeline with it,
  /// attaches the subscriber to the pipeline, and then connects.
  ///
  /// - Starts: with each subscriber, for it alone.
  /// - Stops: when that subscriber has left, or the pipeline has ended.
  /// - A late subscriber gets: a run of its own.
  /// - A slow subscriber: as the pipeline.
  /// - Memory: as the pipeline and the ``Replay``.
  ///
  /// - Completion: that of the pipeline. If it comes before the upstream has ended, the upstream is
  ///   cancelled.
  /// - Cancel: cancels the pipeline, and the upstream unless that has ended.
  /// - Concurrency: as the pipeline. Two subscribers have nothing in common.
  /// - Ownership: retains its upstream, its replay policy and its closure. Each subscription
  ///   retains a multicast of its own until it is cancelled or has ended.
  @frozen
  public struct ScopedMulticast<Upstream: Publisher, Pipeline: Publisher>: Publisher {
    /// The pipeline's output.
    public typealias Output = Pipeline.Output
    /// The pipeline's failure.
    public typealias Failure = Pipeline.Failure
    /// The type of the publisher that the pipeline can subscribe to several times.
    @usableFromInline
    package typealias Shared = Multicast<Upstream, ReplaySubject<Upstream.Output, Upstream.Failure>>

    /// The upstream publisher.
    @usableFromInline package let upstream: Upstream
    /// The policy for what a part of the pipeline receives that subscribes late.
    @usableFromInline package let replay: Replay<Upstream.Output>
    /// The closure that builds the pipeline.
    @usableFromInline package let scope: @Sendable (Shared) -> Pipeline

    /// Creates a publisher that builds a pipeline for each of its subscribers.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - replay: The policy for what a part of the pipeline receives that subscribes late.
    ///   - scope: The closure that builds the pipeline, called once for each subscriber.
    package init(
      upstream: Upstream, replay: Replay<Upstream.Output>,
      scope: @escaping @Sendable (Shared) -> Pipeline
    ) {
      self.upstream = upstream
      self.replay = replay
      self.scope = scope
    }

    /// Attaches the specified subscriber to a pipeline of its own, and connects that.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let shared = upstream.multicast(replay: replay)
      // The claim of this subscriber: an end of the pipeline releases it, even while the connection
      // starts. A multicast with a replay has a core.
      guard let counter = shared.sharing?.counter.takeUnretainedValue() else { return }
      let connection = counter.enter()
      scope(shared).receive(
        subscriber: RelayedSubscription(downstream: subscriber, parent: shared, counter: counter))
      if let connection { counter.start(connection) }
    }
  }
}

extension Publishers.ScopedMulticast: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Uses one subscription to this publisher several times within a pipeline.
  ///
  /// Every subscriber of the result gets a pipeline and a subscription to this publisher of its
  /// own. The connection starts when the pipeline is complete, so that no part of it misses a
  /// value, also if this publisher sends its values at once. It ends with the pipeline, or when the
  /// subscriber leaves.
  ///
  /// - Starts: with each subscriber, for it alone.
  /// - Stops: when that subscriber has left, or the pipeline has ended.
  /// - A late subscriber gets: a run of its own.
  /// - A slow subscriber: as the pipeline.
  /// - Memory: as the pipeline and the ``Replay``.
  ///
  /// A part of the pipeline that has not requested a value misses it under ``Replay/none``. So if
  /// the values are requested one by one, and none may be lost, use another replay, such as
  /// ``Replay/last(_:)``. The replay also serves a part that subscribes late, for instance within
  /// `flatMap`. <doc:SeveralPublishersAndTime> has an example.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a part of the pipeline receives that subscribes late.
  ///   - scope: The closure that builds the pipeline with the shared publisher. It is called once
  ///     for each subscriber, on the subscribing thread and with no lock held.
  /// - Returns: A publisher of what the pipeline delivers.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let work = (1...4).publisher.handleEvents(receiveOutput: { print("work", $0) })
  /// let sorted = work.multicast(replay: .none) { numbers in
  ///   let odd = numbers.filter { $0 % 2 == 1 }.map { "odd \($0)" }
  ///   return odd.merge(with: numbers.filter { $0 % 2 == 0 }.map { "even \($0)" })
  /// }
  /// sorted.sink { print($0) }.cancel()
  /// // Prints:
  /// // work 1
  /// // odd 1
  /// // work 2
  /// // even 2
  /// // work 3
  /// // odd 3
  /// // work 4
  /// // even 4
  /// ```
  @preconcurrency
  public func multicast<Pipeline: Publisher>(
    replay: Replay<Output>,
    _ scope:
      @escaping @Sendable (Publishers.Multicast<Self, ReplaySubject<Output, Failure>>) -> Pipeline
  ) -> Publishers.ScopedMulticast<Self, Pipeline> {
    Publishers.ScopedMulticast(upstream: self, replay: replay, scope: scope)
  }
}
