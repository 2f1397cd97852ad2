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
      upstream.receive(
        subscriber: ObservedSubscription(handlers, name: "Breakpoint", downstream: subscriber))
    }
  }
}

extension Publishers.Breakpoint: Sendable where Upstream: Sendable {}

extension Publishers.Breakpoint {
  @usableFromInline var handlers: EventHandlers<Self> {
    EventHandlers(
      receiveSubscription: stopping(receiveSubscription), receiveOutput: stopping(receiveOutput),
      receiveCompletion: stopping(receiveCompletion))
  }

  /// Returns a closure that stops the debugger where `condition` returns true.
  private func stopping<Event>(
    _ condition: (@Sendable (Event) -> Bool)?
  ) -> (@Sendable (Event) -> Void)? {
    guard let condition else { return nil }
    return { if condition($0) { stop() } }
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
  /// The stop is the signal `SIGTRAP`, which ends a program that no debugger watches. When the debugger
  /// continues, the event passes on. After a cancel no closure is called.
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
