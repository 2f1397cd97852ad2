public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream after another publisher has delivered one.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher, UpstreamTypes
  where Upstream.Failure == Other.Failure {
    /// The publisher whose values are delivered.
    public let upstream: Upstream
    /// The publisher whose first value is waited for.
    public let other: Other

    /// Creates a publisher of the values of an upstream after another publisher has delivered one.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are delivered. It is subscribed to second.
    ///   - other: The publisher whose first value is waited for. It is subscribed to first.
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
      let trigger: CombinedValues<Other.Output> = AwaitedValue(isTrigger: true)
      let combined = CombinedSubscription(
        downstream: ErasedSubscriber(subscriber), name: "DropUntilOutput",
        sources: [trigger, values],
        next: { hasNew, pass in
          hasNew = false
          guard let value = values.take()?.move() else { return }
          if trigger.count > 0 { pass(value) } else { values.replaceOne() }
        },
        isReady: { values.latest != nil && trigger.count > 0 },
        isComplete: { values.hasFinished || trigger.hasFinished && trigger.count == 0 })
      combined.join(other, as: trigger)
      combined.join(upstream, as: values)
    }
  }
}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}
extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
  /// Leaves out the values of this publisher until another one delivers a value.
  ///
  /// ![Values are left out until start sends its first one; start is then cancelled.](drop-until)
  ///
  /// - Demand: exact. Requests go to this publisher, and one more for each value that is left out.
  ///   The other publisher is asked for one value.
  /// - Completion: when this publisher has finished, or when the other one has finished without a
  ///   value.
  /// - Failure: of this publisher, or of the other one before its value.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers what
  ///   the other brings meanwhile.
  ///
  /// - Parameter publisher: The publisher whose first value is waited for. It is subscribed to
  ///   first, and cancelled after that value.
  /// - Returns: A publisher of the values behind it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let ticks = PassthroughSubject<Int, Never>()
  /// let start = PassthroughSubject<Void, Never>()
  /// let printed = ticks.drop(untilOutputFrom: start).sink { print($0) }
  /// ticks.send(1)
  /// start.send()
  /// ticks.send(2)
  /// printed.cancel()
  /// // Prints:
  /// // 2
  /// ```
  public func drop<P: Publisher>(
    untilOutputFrom publisher: P
  ) -> Publishers.DropUntilOutput<Self, P> where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}
