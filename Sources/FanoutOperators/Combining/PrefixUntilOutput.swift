public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream until another publisher delivers one.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher, UpstreamTypes {
    /// The publisher whose values are delivered.
    public let upstream: Upstream
    /// The publisher whose first value ends them.
    public let other: Other

    /// Creates a publisher of the values of an upstream until another publisher delivers one.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are delivered. It is subscribed to second.
    ///   - other: The publisher whose first value ends them. It is subscribed to first.
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let values: CombinedValues<Upstream.Output> = LatestValue()
      let trigger: CombinedValues<Other.Output> = AwaitedValue(isTrigger: true, endsUnnoticed: true)
      let combined = CombinedSubscription(
        downstream: ErasedSubscriber(subscriber), name: "PrefixUntilOutput",
        sources: [trigger, values],
        next: { hasNew, pass in
          hasNew = false
          if let value = values.take()?.move() { pass(value) }
        },
        isReady: { values.latest != nil },
        isComplete: { trigger.count > 0 || values.hasFinished })
      combined.join(other, as: trigger)
      combined.join(upstream, as: values)
    }
  }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
  /// Delivers the values of this publisher until another one delivers a value.
  ///
  /// ![When stop sends its first value, the subscriber finishes, and both publishers are cancelled.](prefix-until)
  ///
  /// - Demand: passed to this publisher. The other one is asked for one value.
  /// - Completion: with the other publisher's first value, which cancels this one, or when this one
  ///   has finished. If the other publisher ends without a value, nothing happens.
  /// - Failure: of this publisher. A failure of the other one means nothing.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers what
  ///   the other brings meanwhile.
  ///
  /// - Parameter publisher: The publisher whose first value ends the values. It is subscribed to
  ///   first.
  /// - Returns: A publisher of the values before.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let ticks = PassthroughSubject<Int, Never>()
  /// let stop = PassthroughSubject<Void, Never>()
  /// let printed = ticks.prefix(untilOutputFrom: stop).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ticks.send(1)
  /// stop.send()
  /// ticks.send(2)
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // finished
  /// ```
  public func prefix<P: Publisher>(
    untilOutputFrom publisher: P
  ) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}
