public import FanoutCore

extension Publishers {
  /// A publisher that continues with a replacement when its upstream fails, or fails with the error of the closure.
  @frozen
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// The output of the upstream and of the replacement.
    public typealias Output = Upstream.Output
    /// Any failure: the replacement's, or what the closure throws.
    public typealias Failure = any Error

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
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        Step(handler: handler), subscriber: subscriber, attach: { $0.receive(subscriber: $1) })
    }
  }
}

extension Publishers.TryCatch: Sendable where Upstream: Sendable {}

@available(*, unavailable)
extension Publishers.TryCatch.Replacement: Sendable {}

extension Publishers.TryCatch {
  /// Continues with the handler's publisher after a failure, unless the handler throws.
  @frozen @usableFromInline
  package struct Step: Resumption, Sendable {
    @usableFromInline package typealias Next = Replacement

    @usableFromInline package let handler: @Sendable (Upstream.Failure) throws -> NewPublisher

    @inlinable
    init(handler: @escaping @Sendable (Upstream.Failure) throws -> NewPublisher) {
      self.handler = handler
    }

    @usableFromInline package static var name: StaticString { "TryCatch" }

    @inlinable
    package func decide(
      _ completion: Subscribers.Completion<Upstream.Failure>
    ) -> ResumptionDecision<Upstream.Failure, any Error> {
      switch completion {
      case .finished: .ends(.finished)
      case .failure(let error): .continues(error)
      }
    }

    @inlinable
    package func next(after error: Upstream.Failure) -> Result<Next, any Error> {
      Result { Next(upstream: try handler(error)) }
    }
  }

  /// The handler's publisher, with any failure.
  @frozen @usableFromInline
  package struct Replacement: Publisher {
    @usableFromInline package typealias Output = NewPublisher.Output
    @usableFromInline package typealias Failure = any Error

    @usableFromInline package let upstream: NewPublisher

    @inlinable
    init(upstream: NewPublisher) { self.upstream = upstream }

    @usableFromInline
    package func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      // With nothing in between, an operator that may continue can take the place of this one.
      if let upstream = upstream as? any Publisher<Output, any Error> {
        upstream.receive(subscriber: subscriber)
      } else {
        upstream.mapError { $0 }.receive(subscriber: subscriber)
      }
    }
  }
}

extension Publisher {
  /// Continues with a replacement when this publisher fails, or fails with the error that the closure throws.
  ///
  /// ![When the upstream fails, the closure throws in place of making another publisher, and the subscriber fails.](try-catch)
  ///
  /// It works as ``Publisher/catch(_:)``.
  ///
  /// - Parameter handler: The closure that creates the replacement, or throws. It is called with the failure, at
  ///   most once a subscriber, on the thread that fails.
  /// - Returns: A publisher that finishes with either publisher, and fails as the replacement does or with the
  ///   thrown error.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// struct NoCopy: Error {}
  /// let news = Fail<String, Offline>(error: Offline()).tryCatch { _ -> Just<String> in throw NoCopy() }
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
