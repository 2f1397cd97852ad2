public import FanoutCore

extension Publishers {
  /// A publisher that continues with a replacement when its upstream fails, or fails with the error
  /// of the closure.
  @frozen
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher, UpstreamOutput,
    ErrorFailure
  where Upstream.Output == NewPublisher.Output {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that creates the replacement from the failure.
    @preconcurrency public let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

    /// Creates a publisher that continues with a replacement when the specified upstream fails.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - handler: The closure that creates the replacement from the failure, or throws.
    @preconcurrency
    public init(
      upstream: Upstream, handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher
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
        do {
          let publisher = try handler(error)
          return {
            // With nothing in between, an operator that may continue can take the place of this
            // one.
            if let same = recovery as? SubscribedNode<Upstream.Output, NewPublisher.Failure> {
              publisher.receive(subscriber: same)
            } else {
              publisher.mapError { $0 }.receive(subscriber: recovery)
            }
          }
        } catch {
          recovery.receive(completion: .failure(error))
          return nil
        }
      }
      if let receiver { upstream.receive(subscriber: receiver) }
    }
  }
}

extension Publishers.TryCatch: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Continues with a replacement when this publisher fails, or fails with the error that the
  /// closure throws.
  ///
  /// ![When the upstream fails, the closure throws in place of making another publisher, and the subscriber fails.](try-catch)
  ///
  /// It works as ``Publisher/catch(_:)``.
  ///
  /// - Parameter handler: The closure that creates the replacement, or throws. It is called with
  ///   the failure, at most once a subscriber, on the thread that fails.
  /// - Returns: A publisher that finishes with either publisher, and fails as the replacement does
  ///   or with the thrown error.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// struct NoCopy: Error {}
  /// let news = Fail<String, Offline>(error: Offline())
  ///   .tryCatch { _ -> Just<String> in throw NoCopy() }
  /// let printed = news.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // failure(main.NoCopy())
  /// ```
  @preconcurrency
  public func tryCatch<P: Publisher>(
    _ handler: @escaping @Sendable (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }
}
