internal import FanoutEngine

extension Publishers {
  /// A publisher that calls closures for each event that passes.
  public struct HandleEvents<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure for the upstream's subscription, called before the subscriber.
    @preconcurrency public var receiveSubscription: (@Sendable (any Subscription) -> Void)?
    /// The closure for each value, called before the subscriber.
    @preconcurrency public var receiveOutput: (@Sendable (Upstream.Output) -> Void)?
    /// The closure for the completion, called before the subscriber.
    @preconcurrency public var receiveCompletion:
      (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    /// The closure for a cancel, called before the upstream.
    @preconcurrency public var receiveCancel: (@Sendable () -> Void)?
    /// The closure for each request, called before the upstream.
    @preconcurrency public var receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    /// Creates a publisher that calls closures for each event between `upstream` and the
    /// subscriber.
    @preconcurrency
    public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
      receiveOutput: (@Sendable (Upstream.Output) -> Void)? = nil,
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

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.receive(subscriber: makeInner(subscriber))
    }
  }
}

extension Publishers.HandleEvents {
  @usableFromInline
  func makeInner<S: Subscriber>(_ subscriber: S) -> ObservedSubscription<Self, S> {
    Inner(
      Handlers(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
        receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
        receiveRequest: receiveRequest), name: "HandleEvents", downstream: subscriber)
  }

  /// The closures of the operator.
  package struct Handlers: EventHandlers {
    package typealias Operator = Publishers.HandleEvents<Upstream>

    let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    let receiveOutput: (@Sendable (Upstream.Output) -> Void)?
    let receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Void)?
    let receiveCancel: (@Sendable () -> Void)?
    let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    package var observesDemand: Bool { receiveSubscription != nil || receiveRequest != nil }

    package func received(subscription: any Subscription) { receiveSubscription?(subscription) }

    package func received(output: Upstream.Output) { receiveOutput?(output) }

    package func received(completion: Subscribers.Completion<Upstream.Failure>) {
      receiveCompletion?(completion)
    }

    package func receivedCancel() { receiveCancel?() }

    package func received(request demand: Subscribers.Demand, isReturned: Bool) {
      receiveRequest?(demand)
    }
  }

  package final class Inner<Downstream: Subscriber>: HandlingSubscription<Handlers, Downstream>
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    // As that of the superclass; here the compiler knows the handlers, and calls them directly.
    package override func _receiveFused(_ input: Upstream.Output) -> Subscribers.Demand {
      stage.deliver {
        with($0) { pass(input, $0, isGuarded: true) }
      } otherwise: {
        receive(input)
      }
    }
  }
}

extension Publishers.HandleEvents: Sendable where Upstream: Sendable {}

extension Publisher {
  /// Calls closures for each event that passes.
  ///
  /// Each closure runs on the thread of its event, before the event passes on; no lock is held. A
  /// closure may cancel, and its event then goes no further. After a cancel or the completion no
  /// closure is called, and all are released.
  ///
  /// - Parameters:
  ///   - receiveSubscription: The closure to call with the upstream's subscription.
  ///   - receiveOutput: The closure to call with each value.
  ///   - receiveCompletion: The closure to call with the completion.
  ///   - receiveCancel: The closure to call at a cancel, once, unless the completion came first.
  ///   - receiveRequest: The closure to call with each demand but `.none`, requested or returned
  ///     from `receive(_:)`. For a returned demand the call comes after the value was delivered.
  /// - Returns: A publisher that passes every event on unchanged.
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
