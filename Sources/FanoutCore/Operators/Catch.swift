extension Publishers {
  /// A publisher that goes on with another one when its upstream fails.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The values of both.
    public typealias Output = Upstream.Output
    /// The failure of the publisher that is gone on with.
    public typealias Failure = NewPublisher.Failure

    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes the publisher that is gone on with.
    @preconcurrency public let handler: @Sendable (Upstream.Failure) -> NewPublisher

    /// Makes a publisher that goes on with what `handler` makes when `upstream` fails.
    @inlinable
    @preconcurrency
    public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, handler: handler), name: "Catch"))
    }
  }
}

extension Publishers.Catch: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Goes on with another publisher when this one fails.
  ///
  /// The failed upstream is released before the closure is called. What was asked for and not
  /// delivered is asked of the new publisher, no more and no less.
  ///
  /// - Parameter handler: called with the failure, at most once a subscriber, on the thread that
  ///   fails. Who cancels in it gets nothing of the publisher that it returns.
  /// - Returns: a publisher that finishes with either and fails as the new one does; cancel stops
  ///   whichever is delivering.
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
  @inlinable
  @preconcurrency
  public func `catch`<NewPublisher: Publisher>(
    _ handler: @escaping @Sendable (Failure) -> NewPublisher
  ) -> Publishers.Catch<Self, NewPublisher> where NewPublisher.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }
}
