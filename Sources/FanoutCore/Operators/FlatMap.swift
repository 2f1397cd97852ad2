public import FanoutEngine

extension Publishers {
  /// A publisher of the values of all publishers that a closure makes of its upstream's values.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The values of the publishers that are made.
    public typealias Output = NewPublisher.Output
    /// The upstream's failure, and that of the publishers that are made.
    public typealias Failure = Upstream.Failure

    /// Where the values come from of which publishers are made.
    public let upstream: Upstream
    /// How many publishers are subscribed to at a time.
    public let maxPublishers: Subscribers.Demand
    /// What makes a publisher.
    @preconcurrency public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Makes a publisher of the values of what `transform` makes.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from of which publishers are made.
    ///   - maxPublishers: How many are subscribed to at a time, from 1 up; `.none` traps.
    ///   - transform: What makes a publisher of a value.
    @preconcurrency
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      precondition(maxPublishers != .none, "flatMap needs a maxPublishers of 1 or more, not none.")
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a subscriber, which is told of its subscription before the upstream is subscribed to.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let outer = Outer(downstream: subscriber, parent: self)
      outer.begin()
      if !outer.isCancelled { upstream.receive(subscriber: outer) }
    }
  }
}

extension Publishers.FlatMap: Sendable where Upstream: Sendable {}

extension Publishers.FlatMap {
  @usableFromInline
  final class Outer<Downstream: Subscriber>: MergedSubscription<Downstream>, Subscriber
  where Downstream.Input == NewPublisher.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// Wrapped, because a closure that is the state of a lock is wrapped anew at each access.
    @usableFromInline
    struct Transform {
      @usableFromInline let make: @Sendable (Input) -> NewPublisher
    }

    @usableFromInline let maxPublishers: Credit
    @usableFromInline let transform: Lock<Transform?>
    /// What more to ask the upstream for, and who does: an upstream that sends within the call, and
    /// whose publisher ends at once, would otherwise nest.
    let asked = PendingCredit()
    let asking = Drain()

    @usableFromInline
    init(downstream: Downstream, parent: Publishers.FlatMap<NewPublisher, Upstream>) {
      maxPublishers = parent.maxPublishers.credit
      transform = Lock(Transform(make: parent.transform))
      super.init(downstream: downstream, name: "FlatMap")
    }

    @usableFromInline
    override func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      ask(maxPublishers)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      // A value that was not asked for would be one publisher too many.
      guard !stage.isClosed, feeds.hasRoom(for: maxPublishers),
        let transform = transform.withLock({ $0 })
      else { return .none }
      // If the closure cancels, the publisher is not accepted.
      join(transform.make(input))
      return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) {
      guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
      releaseTransform()
      if case .failure = completion { fail(completion) } else { noMoreCome() }
    }

    @usableFromInline
    override func feedDidFinish() {
      if !maxPublishers.isUnlimited { ask(Credit(rawValue: 1)) }
    }

    func ask(_ credit: Credit) {
      asked.add(credit)
      guard asking.announce(.queued) else { return }
      repeat {
        asking.clear(.queued)
        let credit = asked.take()
        if credit != .none { stage.request(credit) }
      } while !asking.tryLeave()
    }

    func releaseTransform() {
      let old = transform.withLock { transform in
        defer { transform = nil }
        return transform
      }
      withExtendedLifetime(old) {}
    }

    @usableFromInline
    override func letGo() {
      releaseTransform()
      super.letGo()
    }

    package override var heldReferences: [HeldReference] {
      let known = transform.withLock { $0 }.map { [HeldReference.closure("transform", $0.make)] }
      return super.heldReferences + (known ?? [])
    }
  }
}

@available(*, unavailable)
extension Publishers.FlatMap.Outer.Transform: Sendable {}

extension Publisher {
  /// Delivers the values of all publishers that a closure makes of the values, as they come.
  ///
  /// - Demand: exact. A publisher is asked for one value at a time, and for the next when that was
  ///   delivered, so that at most one of each waits; or for everything, if the subscriber asks for
  ///   everything. The upstream is asked for `maxPublishers` values, and for one more with each
  ///   publisher that finishes.
  /// - Completion: when the upstream and all publishers have finished.
  /// - Failure: of the upstream or of any publisher; cancels all others, and comes behind the values
  ///   that wait.
  /// - Cancel: cancels the upstream and all publishers.
  /// - Concurrency: publishers may deliver on different threads. One of these delivers for all; what
  ///   others bring meanwhile it delivers too. The values of one publisher stay in order.
  /// - Cost: one object and its part for each publisher.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many publishers are subscribed to at a time, from 1 up; `.none` traps,
  ///     because nothing would ever happen.
  ///   - transform: What makes a publisher; called once a value and subscriber, where the value came
  ///     from.
  /// - Returns: A publisher of all their values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let rows = (1...3).publisher.flatMap { row in
  ///   (1...row).publisher.map { "\(row).\($0)" }
  /// }
  /// let printed = rows.sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // 1.1
  /// // 2.1
  /// // 2.2
  /// // 3.1
  /// // 3.2
  /// // 3.3
  /// ```
  @preconcurrency
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
