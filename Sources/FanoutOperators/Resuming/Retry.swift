public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher that subscribes to its upstream again when the upstream fails.
  public struct Retry<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The number of further subscriptions, or nil if there is no limit.
    public let retries: Int?

    /// Creates a publisher that subscribes to the specified upstream again when it fails.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - retries: The number of further subscriptions, 0 or more, or nil for no limit. A negative
    ///     number traps.
    public init(upstream: Upstream, retries: Int?) {
      trap(
        unless: retries ?? 0 >= 0,
        "retry(\(retries ?? 0)): a number of retries cannot be negative; pass 0 or more.")
      self.upstream = upstream
      self.retries = retries
    }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let receiver = makeReceiver(
        ErasedSubscriber(subscriber), (upstream: upstream, left: retries ?? -1)
      ) { (state, end: Subscribers.Completion<Failure>, recovery, last) in
        if case .failure = end, state.left != 0 {
          let next = Self(upstream: state.upstream, retries: state.left < 0 ? nil : state.left - 1)
          return recovery.map { recovery in { next.receive(subscriber: recovery) } }
        }
        last = end
        return nil
      }
      if let receiver { upstream.receive(subscriber: receiver) }
    }
  }
}

extension Publishers.Retry: Sendable where Upstream: Sendable {}
extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Subscribes to this publisher again when it fails, up to a number of times.
  ///
  /// ![When the upstream fails, it is subscribed to again, once. The subscriber receives the values of both attempts.](retry)
  ///
  /// - Demand: each subscription is asked for what was requested and not delivered.
  /// - Completion: when one of the subscriptions has finished.
  /// - Failure: that of the last subscription.
  /// - Cancel: cancels the current subscription.
  /// - Concurrency: the thread that fails subscribes again. Neither the stack nor a chain of
  ///   subscriptions grows, however often a publisher fails.
  ///
  /// `share().retry(2)` retries nothing: an ended connection stays (rule L3), so each further
  /// subscription gets the same failure. Retry in front of `share()`, or share with
  /// `restart: .afterFailure`. Behind a replay, each subscription gets the replay again. If an
  /// operator in between fails for one of its values, it fails for it every time: `joining(.live)`
  /// leaves the replay out.
  ///
  /// - Parameter retries: The number of further subscriptions, 0 or more. A negative number traps.
  /// - Returns: A publisher of the values of all subscriptions.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Busy: Error {}
  /// let attempts = CurrentValueSubject<Int, Never>(0)
  /// let order = Deferred { () -> AnyPublisher<String, Busy> in
  ///   attempts.value += 1
  ///   if attempts.value < 3 { return Fail(error: Busy()).eraseToAnyPublisher() }
  ///   return Just("ordered").setFailureType(to: Busy.self).eraseToAnyPublisher()
  /// }
  /// let printed = order.retry(5).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0, "in attempt", attempts.value) })
  /// printed.cancel()
  /// // Prints:
  /// // ordered in attempt 3
  /// // finished
  /// ```
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
