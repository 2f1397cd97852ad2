public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher of the values of its upstream, each with the newest value of another publisher.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher>: Publisher, UpstreamFailure
  where Upstream.Failure == Other.Failure {
    /// The values of both publishers.
    public typealias Output = (Upstream.Output, Other.Output)

    /// The publisher whose values are delivered.
    @usableFromInline package let upstream: Upstream
    /// The publisher whose newest value goes with each of them.
    @usableFromInline package let other: Other

    /// Creates a publisher of the values of an upstream, each with the newest value of another
    /// publisher.
    ///
    /// - Parameters:
    ///   - upstream: The publisher whose values are delivered. It is subscribed to second.
    ///   - other: The publisher whose newest value goes with each of them. It is subscribed to
    ///     first.
    package init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    /// Attaches the specified subscriber, which receives its subscription before the publishers are
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let values: CombinedValues<Upstream.Output> = LatestValue()
      let newest: CombinedValues<Other.Output> = LatestValue(ownCredit: .unlimited)
      let combined = CombinedSubscription(
        downstream: ErasedSubscriber(subscriber), name: "WithLatestFrom",
        sources: [newest, values],
        next: { hasNew, pass in
          hasNew = false
          guard let value = values.take()?.move() else { return }
          guard let other = newest.latest?.pointee else { return values.replaceOne() }
          pass((value, other))
        },
        isReady: { values.latest != nil && newest.latest != nil },
        isComplete: { values.hasFinished })
      combined.join(other, as: newest)
      combined.join(upstream, as: values)
    }
  }
}

extension Publishers.WithLatestFrom: Sendable where Upstream: Sendable, Other: Sendable {}
extension Publishers.WithLatestFrom: Equatable where Upstream: Equatable, Other: Equatable {}

extension Publisher {
  /// Delivers each value of this publisher together with the newest value of another one.
  ///
  /// ![Each number arrives with the newest letter. 1 comes before the first letter and is left out. The end is that of numbers.](with-latest-from)
  ///
  /// A value that comes before the other publisher has delivered one is left out. Combine has no
  /// such operator; the name is that of the Rx libraries.
  ///
  /// - Demand: exact. Requests go to this publisher, and one more for each value that is left out.
  ///   The other publisher is asked for everything.
  /// - Completion: when this publisher has finished. Then the other one is cancelled.
  /// - Failure: of either. It cancels the other.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers what
  ///   the other brings meanwhile.
  ///
  /// - Parameter other: The publisher whose newest value is wanted. It is subscribed to first.
  /// - Returns: A publisher of pairs.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let taps = PassthroughSubject<String, Never>()
  /// let volume = CurrentValueSubject<Int, Never>(3)
  /// let played = taps.withLatestFrom(volume).sink { print($0, $1) }
  /// taps.send("drum")
  /// volume.send(5)
  /// taps.send("bell")
  /// played.cancel()
  /// // Prints:
  /// // drum 3
  /// // bell 5
  /// ```
  @preconcurrency
  public func withLatestFrom<P: Publisher>(_ other: P) -> Publishers.WithLatestFrom<Self, P>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    Publishers.WithLatestFrom(upstream: self, other: other)
  }

  /// Transforms each value of this publisher and the newest value of another one.
  ///
  /// ![The closure makes an output of each number and the newest of tens. 1 comes before that and is left out.](with-latest-from-transform)
  ///
  /// It works as ``Publisher/withLatestFrom(_:)`` with a `map` behind it.
  ///
  /// - Parameters:
  ///   - other: The publisher whose newest value is wanted. It is subscribed to first.
  ///   - transform: The closure that makes an output of both values. The thread that delivers calls
  ///     it.
  /// - Returns: A publisher of the outputs.
  @preconcurrency
  public func withLatestFrom<P: Publisher, T>(
    _ other: P, _ transform: @escaping @Sendable (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, T>
  where P.Failure == Failure, Output: Sendable, P.Output: Sendable {
    withLatestFrom(other).map { transform($0.0, $0.1) }
  }
}
