internal import FanoutEngine

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

extension Publishers {
  /// A publisher that stops the debugger at events that closures choose.
  public struct Breakpoint<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The closure that decides whether to stop at the upstream's subscription.
    @preconcurrency public let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
    /// The closure that decides whether to stop at a value.
    @preconcurrency public let receiveOutput: (@Sendable (Upstream.Output) -> Bool)?
    /// The closure that decides whether to stop at the completion.
    @preconcurrency public let receiveCompletion:
      (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Bool)?

    /// Creates a publisher that stops the debugger at events between `upstream` and the subscriber.
    @preconcurrency
    public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
      receiveOutput: (@Sendable (Upstream.Output) -> Bool)? = nil,
      receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.receive(subscriber: makeInner(subscriber))
    }
  }
}

extension Publishers.Breakpoint: Sendable where Upstream: Sendable {}

extension Publishers.Breakpoint {
  @usableFromInline
  func makeInner<S: Subscriber>(_ subscriber: S) -> ObservedSubscription<Self, S> {
    Inner(
      Handlers(
        receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
        receiveCompletion: receiveCompletion), name: "Breakpoint", downstream: subscriber)
  }

  /// The conditions of the operator.
  package struct Handlers: EventHandlers {
    package typealias Operator = Publishers.Breakpoint<Upstream>

    let receiveSubscription: (@Sendable (any Subscription) -> Bool)?
    let receiveOutput: (@Sendable (Upstream.Output) -> Bool)?
    let receiveCompletion: (@Sendable (Subscribers.Completion<Upstream.Failure>) -> Bool)?

    package var observesDemand: Bool { receiveSubscription != nil }

    package func received(subscription: any Subscription) {
      if receiveSubscription?(subscription) ?? false { stop() }
    }

    package func received(output: Upstream.Output) {
      if receiveOutput?(output) ?? false { stop() }
    }

    package func received(completion: Subscribers.Completion<Upstream.Failure>) {
      if receiveCompletion?(completion) ?? false { stop() }
    }

    package func receivedCancel() {}

    package func received(request demand: Subscribers.Demand, isReturned: Bool) {}
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

/// Stops the debugger.
private func stop() {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    raise(SIGTRAP)
  #else
    fatalError("breakpoint: this platform has no SIGTRAP, so the program ends here.")
  #endif
}

extension Publisher {
  /// Stops the debugger when a closure returns true for an event.
  ///
  /// ![Every value passes; at a negative one the debugger would stop.](breakpoint)
  ///
  /// The stop is the signal `SIGTRAP`, which ends a program that no debugger watches. When the
  /// debugger continues, the event passes on. After a cancel no closure is called.
  ///
  /// - Parameters:
  ///   - receiveSubscription: The closure to call with the upstream's subscription.
  ///   - receiveOutput: The closure to call with each value.
  ///   - receiveCompletion: The closure to call with the completion.
  /// - Returns: A publisher that passes every event on unchanged.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = (1...2).publisher.breakpoint(receiveOutput: { $0 < 0 })
  /// let printed = numbers.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// ```
  @preconcurrency
  public func breakpoint(
    receiveSubscription: (@Sendable (any Subscription) -> Bool)? = nil,
    receiveOutput: (@Sendable (Output) -> Bool)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops the debugger when this publisher fails.
  ///
  /// ![Values and the finish pass; at a failure the debugger would stop.](breakpoint-on-error)
  ///
  /// - Returns: A publisher that passes every event on unchanged; see
  ///   ``breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)``.
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { completion in
      if case .failure = completion { true } else { false }
    })
  }
}
