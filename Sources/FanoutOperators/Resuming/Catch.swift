public import FanoutCore

extension Publishers {
  /// A publisher that continues with a replacement when its upstream fails.
  @frozen
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher, UpstreamOutput
  where Upstream.Output == NewPublisher.Output {
    /// The replacement's failure type.
    public typealias Failure = NewPublisher.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that creates the replacement from the failure.
    @preconcurrency public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// Creates a publisher that continues with a replacement when the specified upstream fails.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - handler: The closure that creates the replacement from the failure.
    @preconcurrency
    public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let receiver = makeReceiver(
        ErasedSubscriber(subscriber), handler
      ) { (handler, end: Subscribers.Completion<Upstream.Failure>, recovery, last) in
        guard case .failure(let error) = end else {
          last = .finished
          return nil
        }
        guard let recovery else { return nil }
        let publisher = handler(error)
        return { publisher.receive(subscriber: recovery) }
      }
      if let receiver { upstream.receive(subscriber: receiver) }
    }
  }
}

extension Publishers.Catch: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Continues with a replacement when this publisher fails.
  ///
  /// ![When the upstream fails, the subscriber receives the values of spare, which is subscribed to at that moment.](catch)
  ///
  /// The failed upstream is released before the closure is called. The replacement is asked for
  /// exactly the demand that was requested and not delivered.
  ///
  /// If the replacement is a `catch` too, also an erased or deferred one, it takes the place of
  /// this one. So a function that catches its publisher's failure by calling itself may retry as
  /// often as it likes: neither the stack nor a chain of subscriptions grows.
  ///
  /// - Parameter handler: The closure that creates the replacement. It is called with the failure,
  ///   at most once a subscriber, on the thread that fails. If the closure cancels, the replacement
  ///   is not subscribed to.
  /// - Returns: A publisher that finishes with either publisher and fails as the replacement does;
  ///   a cancel stops whichever is delivering.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// let news = Fail<String, Offline>(error: Offline()).catch { _ in Just("from yesterday") }
  /// let printed = news.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // from yesterday
  /// // finished
  /// ```
  @preconcurrency
  public func `catch`<NewPublisher: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> NewPublisher
  ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}
