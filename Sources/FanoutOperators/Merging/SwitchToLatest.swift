public import FanoutCore
public import FanoutEngine

/// The conversion of a publisher that can't fail, as a type whose method captures no metatype.
private struct NeverFailing<Made: Publisher, Failure: Error>: Sendable where Made.Failure == Never {
  @Sendable
  func make(_ publisher: Made) -> Publishers.SetFailureType<Made, Failure> {
    Publishers.SetFailureType(upstream: publisher)
  }
}

extension Publishers {
  /// A publisher of the values of the newest publisher that its upstream has delivered.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// The output of the delivered publishers.
    public typealias Output = P.Output
    /// The failure of the upstream and of the delivered publishers.
    public typealias Failure = P.Failure

    /// The upstream publisher, which delivers publishers.
    public let upstream: Upstream

    /// Creates a publisher of the values of the newest publisher that an upstream has delivered.
    ///
    /// - Parameter upstream: The upstream publisher, which delivers publishers.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the specified subscriber, which receives its subscription before the upstream is
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let switching = beginSwitching(ErasedSubscriber(subscriber)) { $0.join($1) }
      if !switching.isCancelled { upstream.receive(subscriber: switching) }
    }

    /// Returns the subscriber to the upstream, which has given its subscription to the subscriber.
    @usableFromInline
    func beginSwitching(
      _ downstream: ErasedSubscriber<Output, Failure>,
      subscribe: @escaping (JoiningSubscription<P, Output, Failure>, P) -> Void
    ) -> JoiningSubscription<P, Output, Failure> {
      let switching = SwitchedSubscription(downstream: downstream, subscribe: subscribe)
      switching.begin()
      return switching
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}
extension Publishers.SwitchToLatest: Equatable where Upstream: Equatable {}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Delivers the values of the newest publisher that this publisher has delivered.
  ///
  /// ![The upstream sends two publishers. b takes the place of a, which is cancelled.](switch-to-latest)
  ///
  /// With each new publisher the one before is cancelled, and nothing more is accepted from it.
  ///
  /// - Demand: exact. This publisher is asked for everything; the newest one is asked for what was
  ///   requested and not delivered.
  /// - Completion: when this publisher and the newest one have finished.
  /// - Failure: of this publisher or of the newest one. It cancels the other, and arrives behind
  ///   the waiting values.
  /// - Cancel: cancels this publisher and the newest one.
  /// - Concurrency: publishers may deliver on different threads. One of these threads delivers for
  ///   all.
  /// - Cost: one object for each publisher.
  ///
  /// - Returns: A publisher of the newest publisher's values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let stations = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
  /// let heard = stations.switchToLatest().sink { print($0) }
  /// let (news, music) = (PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>())
  /// stations.send(news)
  /// news.send("rain")
  /// stations.send(music)
  /// news.send("sun")
  /// music.send("la")
  /// heard.cancel()
  /// // Prints:
  /// // rain
  /// // la
  /// ```
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure: Error {
  /// Delivers the values of the newest publisher that this publisher, which can't fail, has
  /// delivered.
  ///
  /// ![The upstream sends two publishers. b takes the place of a, which is cancelled.](switch-to-latest)
  ///
  /// - Returns: A publisher of the newest publisher's values, which fails as that one does.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Delivers the values of the newest publisher, which can't fail, that this publisher has
  /// delivered.
  ///
  /// ![The upstream sends two publishers. b takes the place of a, which is cancelled.](switch-to-latest)
  ///
  /// - Returns: A publisher of the newest publisher's values, which fails as this one does.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    map(NeverFailing<Output, Failure>().make).switchToLatest()
  }
}

extension Publisher {
  /// Transforms each value into a publisher, and delivers the values of the newest one.
  ///
  /// ![A publisher is made of each value. The second takes the place of the first, which is cancelled.](flat-map-latest)
  ///
  /// It is a `map` with a `switchToLatest()` behind it. Combine has no such operator; the name is
  /// that of the Rx libraries.
  ///
  /// - Parameter transform: The closure that creates a publisher from a value. It is called once a
  ///   value and subscriber, on the thread that brought the value.
  /// - Returns: A publisher of the newest publisher's values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let queries = PassthroughSubject<String, Never>()
  /// let answers = PassthroughSubject<String, Never>()
  /// let found = queries.flatMapLatest { query in answers.map { "\(query): \($0)" } }
  ///   .sink { print($0) }
  /// queries.send("s")
  /// queries.send("sw")
  /// answers.send("swift, swim")
  /// found.cancel()
  /// // Prints:
  /// // sw: swift, swim
  /// ```
  @preconcurrency
  public func flatMapLatest<P: Publisher>(
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.SwitchToLatest<P, Publishers.Map<Self, P>> where P.Failure == Failure {
    map(transform).switchToLatest()
  }
}
