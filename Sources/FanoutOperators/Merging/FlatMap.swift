// Unsafe cast: the body of the stage is the one that the initialiser made.

public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher of the values of all publishers that a closure creates from its upstream's values.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher, CreatedOutput,
    UpstreamFailure
  where NewPublisher.Failure == Upstream.Failure {
    /// The upstream publisher, from whose values publishers are created.
    public let upstream: Upstream
    /// The maximum number of publishers subscribed to at a time.
    public let maxPublishers: Subscribers.Demand
    /// The closure that creates a publisher from each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Creates a publisher of the values of the publishers that a closure creates.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher, from whose values publishers are created.
    ///   - maxPublishers: The maximum number of publishers subscribed to at a time, 1 or more;
    ///     `.none` traps.
    ///   - transform: The closure that creates a publisher from each value.
    @preconcurrency
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      trap(
        unless: maxPublishers != .none,
        "flatMap(maxPublishers: .none): nothing would ever be subscribed to; pass .max(1) or more.")
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches the specified subscriber, which receives its subscription before the upstream is
    /// subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == NewPublisher.Output, S.Failure == Failure {
      attach(subscriber, skips: false)
    }
  }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publishers.FlatMap {
  /// Attaches the specified subscriber.
  ///
  /// - Parameters:
  ///   - subscriber: The subscriber.
  ///   - skips: Whether the upstream is asked for everything, and values without room for their
  ///     publisher are left out.
  @inlinable
  func attach<S: Subscriber>(_ subscriber: S, skips: Bool)
  where S.Input == Output, S.Failure == Failure {
    let transform = transform
    // Formed here, so that what is made is subscribed to by specialised code.
    let outer = beginMerging(ErasedSubscriber(subscriber), skips: skips) { outer, input in
      let publisher = transform(input)
      // If the closure has cancelled, nothing of the publisher is accepted.
      guard let value = publisher._onlyValue else { return outer.join(publisher) }
      outer.acceptOnly(value)
    }
    if !outer.isCancelled { upstream.receive(subscriber: outer) }
  }

  /// Returns the subscriber to the upstream, which has given its subscription to the subscriber.
  @usableFromInline
  func beginMerging(
    _ downstream: ErasedSubscriber<Output, Failure>, skips: Bool,
    make: @escaping (JoiningSubscription<Upstream.Output, Output, Failure>, Upstream.Output) -> Void
  ) -> JoiningSubscription<Upstream.Output, Output, Failure> {
    let outer = Outer(
      downstream: downstream, maxPublishers: maxPublishers, skips: skips, make: make)
    outer.begin()
    return outer
  }

  /// The body of the stage: it holds the closure until the upstream has ended or the subscription
  /// is cancelled.
  package final class OuterBody: ReceiverBody {
    package let make: Outer.Make

    init(_ make: @escaping Outer.Make) {
      self.make = make
      super.init()
    }
  }

  /// The subscription of one subscriber, which subscribes to what is made of the upstream's values.
  package final class Outer: MergedSubscription<Upstream.Output, Output, Failure> {
    package typealias Make = (
      JoiningSubscription<Upstream.Output, Output, Failure>, Upstream.Output
    ) -> Void

    let maxPublishers: Credit
    let skips: Bool
    /// The credit to request from the upstream, and the drain that decides which thread does so.
    ///
    /// Without the drain the requests would nest if the upstream sends within the call and the
    /// created publisher ends at once.
    let asked = CreditAccount()
    let asking = Drain()

    init(
      downstream: ErasedSubscriber<Output, Failure>, maxPublishers: Subscribers.Demand, skips: Bool,
      make: @escaping Make
    ) {
      self.maxPublishers = maxPublishers.credit
      self.skips = skips
      super.init(
        downstream: downstream, name: skips ? "FlatMapFirst" : "FlatMap", body: OuterBody(make))
    }

    package override func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      ask(skips ? .unlimited : maxPublishers)
    }

    package override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      // A value that was not requested, or that is to be skipped, would be one publisher too many.
      guard feeds.hasRoom(for: maxPublishers) else { return .none }
      stage.withBody { unsafeDowncast($0, to: OuterBody.self).make(self, input) }
      return .none
    }

    /// Accepts the only value of a publisher.
    ///
    /// Every publisher is asked for its first value at once, so that this one would be over in the
    /// same call.
    override func acceptOnly(_ value: Output) {
      deliver(value, from: nil)
      feedDidFinish()
    }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      // The closure is released behind the end: what its `deinit` causes comes second.
      guard let body = stage.finish(for: self, taking: { $0 }) else { return }
      if case .failure = completion { fail(completion) }
      withExtendedLifetime(consume body) {}
      if case .finished = completion { noMoreCome() }
    }

    package override func feedDidFinish() {
      if !maxPublishers.isUnlimited, !skips { ask(Credit(rawValue: 1)) }
    }

    func ask(_ credit: Credit) {
      asked.add(credit)
      guard asking.announce(.queued) else { return }
      asking.run { _ in
        let credit = asked.take()
        if credit != .none { stage.request(credit) }
        return .done([])
      }
    }
  }
}

extension Publisher {
  /// Transforms each value into a publisher, and delivers the values of all of them as they arrive.
  ///
  /// ![A publisher is made of each value, and everything that these send arrives as it comes.](flat-map)
  ///
  /// - Demand: exact. Each publisher is asked for one value at a time, and for the next one when
  ///   that value has been delivered, so that at most one value of each waits. If the subscriber
  ///   requests everything, so does the operator. The upstream is asked for `maxPublishers` values,
  ///   and for one more with each publisher that finishes.
  /// - Completion: when the upstream and all publishers have finished.
  /// - Failure: of the upstream or of any publisher. It cancels all others, and arrives behind the
  ///   waiting values.
  /// - Cancel: cancels the upstream and all publishers.
  /// - Concurrency: publishers may deliver on different threads. One of these threads delivers for
  ///   all, also the values that the others bring meanwhile. The values of one publisher stay in
  ///   order.
  /// - Cost: one object and its part for each publisher.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers subscribed to at a time, 1 or more;
  ///     `.none` traps, because nothing would ever be subscribed to.
  ///   - transform: The closure that creates a publisher from a value. It is called once a value
  ///     and subscriber, on the thread that brought the value.
  /// - Returns: A publisher of all their values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let rooms = PassthroughSubject<PassthroughSubject<String, Never>, Never>()
  /// let heard = rooms.flatMap { $0 }.sink { print($0) }
  /// let kitchen = PassthroughSubject<String, Never>()
  /// let hall = PassthroughSubject<String, Never>()
  /// rooms.send(kitchen)
  /// rooms.send(hall)
  /// kitchen.send("tea?")
  /// hall.send("someone is at the door")
  /// kitchen.send("tea!")
  /// heard.cancel()
  /// // Prints:
  /// // tea?
  /// // someone is at the door
  /// // tea!
  /// ```
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
