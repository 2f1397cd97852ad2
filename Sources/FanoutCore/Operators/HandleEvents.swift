extension Publishers {
  /// A publisher that tells closures of everything that passes.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Told of the upstream's subscription, before the subscriber is.
    @preconcurrency public var receiveSubscription: (@Sendable (any Subscription) -> Void)?
    /// Told of a value, before the subscriber is.
    @preconcurrency public var receiveOutput: (@Sendable (Output) -> Void)?
    /// Told of the completion, before the subscriber is.
    @preconcurrency public var receiveCompletion:
      (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    /// Told of a cancel, before the upstream is.
    @preconcurrency public var receiveCancel: (@Sendable () -> Void)?
    /// Told of a request, before the upstream is.
    @preconcurrency public var receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    /// Makes a publisher that tells closures of everything that passes to and from `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
      receiveOutput: (@Sendable (Output) -> Void)? = nil,
      receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (@Sendable () -> Void)? = nil,
      receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(Body(downstream: subscriber, events: self)))
    }
  }
}

extension Publishers.HandleEvents: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Tells closures of everything that passes.
  ///
  /// Each closure runs on the thread of what it is told of, before that goes on; no lock is held. A
  /// closure may cancel: then what it was told of goes no further. After a cancel and after the
  /// completion none is called, and all are let go.
  ///
  /// - Parameters:
  ///   - receiveSubscription: told of the upstream's subscription.
  ///   - receiveOutput: told of each value.
  ///   - receiveCompletion: told of the completion.
  ///   - receiveCancel: told of a cancel, once, unless the completion came first.
  ///   - receiveRequest: told of each demand but `.none`, whether it was requested or returned from
  ///     `receive(_:)`; of the latter after the value was delivered.
  /// - Returns: a publisher that passes everything on unchanged.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let watched = Just("value").handleEvents(
  ///   receiveOutput: { print("passes:", $0) }, receiveCompletion: { print("ends:", $0) },
  ///   receiveRequest: { print("asked:", $0) })
  /// let printed = watched.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // asked: unlimited
  /// // passes: value
  /// // value
  /// // ends: finished
  /// ```
  @preconcurrency
  public func handleEvents(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil,
    receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
      receiveRequest: receiveRequest)
  }
}
