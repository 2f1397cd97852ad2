// `@unchecked Sendable` invariant: both properties are constants.
//
// Unmanaged references: `place` is used only in calls of the object, which retains what it names.

public import FanoutEngine

extension Publishers {
  /// A publisher that lets its subscribers share one subscription to its upstream.
  ///
  /// It is a ``Multicast`` with a replay policy, autoconnected.
  ///
  /// - Starts: with the first subscriber.
  /// - Stops: with the last one.
  /// - A late subscriber gets: its replay, then live values.
  /// - A slow subscriber: depends on the ``Replay``.
  /// - Memory: depends on the ``Replay``.
  ///
  /// - Completion: the replay and the completion stay. A later subscriber gets both, and the work
  ///   does not run again, unless a ``Restart`` says so.
  /// - Cancel of the last subscriber: cancels the upstream and discards the replay, unless a
  ///   ``Disconnect`` says otherwise. The next subscriber starts anew.
  /// - Concurrency: every method may be called from any thread, also inside `receive`. Values are
  ///   delivered on the thread on which the upstream delivers, or on one that is already
  ///   delivering. The first subscriber subscribes to the upstream, for all of them. A task that
  ///   the upstream starts then has the priority and the task-local values of that subscriber's
  ///   task, and keeps them for later subscribers.
  /// - Ownership: retains its upstream publisher and its observer always, its connection while that
  ///   is live or ended.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// The upstream's output.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher, whose subscription is shared.
    public let upstream: Upstream
    package let sharing: CountedSharing<Upstream.Output, Upstream.Failure>

    /// Creates a publisher that shares the specified upstream without replay.
    ///
    /// - Parameter upstream: The publisher to share.
    @inlinable
    public convenience init(upstream: Upstream) {
      self.init(upstream: upstream, replay: .none)
    }

    @usableFromInline
    init(
      upstream: Upstream, replay: Replay<Upstream.Output>, disconnect: Disconnect = .whenIdle,
      restart: Restart = [], backlog: Backlog<Upstream.Output, Upstream.Failure>? = nil,
      observer: (any SharingObserver)? = nil, parts: ShareParts<Upstream> = ShareParts()
    ) {
      self.upstream = upstream
      sharing = CountedSharing(
        UpstreamShareCore.current(upstream, replay, restart: restart, backlog, observer, parts),
        counting: disconnect.counter(around:))
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber, and subscribes to the upstream if it is the first.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      guard let (hub, counter) = place else { return _access.attach(subscriber) }
      counter._withUnsafeGuaranteedRef { counter in
        let subscription = CountedSubscription<S>(
          hub: hub, owner: .passRetained(self), receiver: subscriber._retainedReceiver,
          counter: counter)
        let connection = counter.enter()
        hub._withUnsafeGuaranteedRef { $0.attach(subscriber, by: subscription) }
        if let connection { counter.start(connection) }
      }
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    @inlinable
    public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
      -> AnyCancellable
    {
      guard let (hub, counter) = place else { return _access.sink(closures) }
      return CountedSink.attach(
        consume closures, to: hub, of: .passRetained(self), counter: counter)
    }

    /// The hub and the counter, which this object retains for good, or nil if there are
    /// generations.
    ///
    /// A subscriber that has them needs no `SharedAccess`, which would retain both.
    @usableFromInline var place:
      (
        hub: Unmanaged<Hub<Output, Subscribers.Completion<Failure>>>,
        counter: Unmanaged<SubscriberCounter>
      )?
    {
      guard case .one(let core, let counter) = sharing else { return nil }
      return (.passUnretained(core.hub), .passUnretained(counter))
    }

    /// Returns whether two publishers are the same object.
    public static func == (left: Share, right: Share) -> Bool { left === right }
  }
}

extension Publishers.Share: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publisher {
  /// Shares one subscription among all subscribers; a late one gets only later values.
  ///
  /// ![A counts, B adds up, once for all. C gets every sum. D joins after 13, and gets 16 and 20.](share)
  ///
  /// - Starts: with the first subscriber.
  /// - Stops: with the last one.
  /// - A late subscriber gets: what comes next.
  /// - A slow subscriber: loses what it has not asked for.
  /// - Memory: none.
  ///
  /// For work that has one result and ends, such as a ``Future`` or a download, use
  /// ``share(replay:)`` with ``Replay/latest``. Here a subscriber that comes behind the result gets
  /// the end alone. For when it stops, what follows an end, and more, see <doc:ShareInFull>.
  ///
  /// - Returns: A publisher that is subscribed to this one while it has subscribers.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let taps = PassthroughSubject<Int, Never>()
  /// let shared = taps.map { (tap: Int) -> Int in
  ///   print("work", tap)
  ///   return tap
  /// }.share()
  /// let early = shared.sink { print("early", $0) }
  /// taps.send(1)
  /// let late = shared.sink { print("late", $0) }
  /// taps.send(2)
  /// // Prints:
  /// // work 1
  /// // early 1
  /// // work 2
  /// // early 2
  /// // late 2
  /// ```
  @inlinable
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self, replay: .none)
  }

  /// Shares one subscription among all subscribers; a late one gets its replay first.
  ///
  /// ![With replay .latest: D joins after 13. It gets 13 at once, then 16 and 20, as C does.](share-latest)
  ///
  /// - Starts: with the first subscriber.
  /// - Stops: with the last one.
  /// - A late subscriber gets: its replay, then what comes next.
  /// - A slow subscriber: depends on the ``Replay``.
  /// - Memory: depends on the ``Replay``.
  ///
  /// ``Replay`` has every policy, and <doc:LateSubscribers> says which one fits. For what else a
  /// share can do, see <doc:ShareInFull>.
  ///
  /// - Parameter replay: The policy for what a late subscriber receives before live values.
  /// - Returns: A publisher that is subscribed to this one while it has subscribers. When the last
  ///   subscriber leaves, the replay is discarded; after a completion it stays.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let prices = PassthroughSubject<Int, Never>()
  /// let shared = prices.share(replay: .latest)
  /// let early = shared.sink { print("early", $0) }
  /// prices.send(10)
  /// prices.send(15)
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // early 10
  /// // early 15
  /// // late 15
  /// ```
  @inlinable
  public func share(replay: Replay<Output>) -> Publishers.Share<Self> {
    Publishers.Share(upstream: self, replay: replay)
  }

  /// Shares one subscription among all subscribers on your terms: when it ends, when it begins
  /// again, and what waits for a subscriber that is slow.
  ///
  /// ![With a grace period: C leaves. D joins in time, gets 2, the last value, and then 3 from the same connection. D leaves, and when the time is up the connection is cancelled.](grace)
  ///
  /// - Starts: with the first subscriber; again after an end in `restart`.
  /// - Stops: as `disconnect` says.
  /// - A late subscriber gets: its replay, then what comes next.
  /// - A slow subscriber: as `backlog` says.
  /// - Memory: that of the replay and of the backlogs.
  ///
  /// You can combine these terms freely, with one exception: a backlog that rejoins traps under
  /// ``Replay/all``. <doc:ShareInFull> has a program and a picture for each. <doc:LateSubscribers>,
  /// <doc:Failures>, <doc:SlowSubscribers> and <doc:InProduction> go further into one term each.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber receives before live values.
  ///     ``Replay/none``, the default: nothing. ``Replay/latest``: the last value. `.last(10)`: the
  ///     last ten.
  ///   - disconnect: The moment at which the connection is closed. ``Disconnect/whenIdle``, the
  ///     default: when the last subscriber leaves, so that the next one starts anew.
  ///     `.whenIdle(for: .seconds(5))`: when there has been none for five seconds.
  ///     ``Disconnect/whenReleased``: when nothing holds the shared publisher any more.
  ///   - restart: The ends after which the next subscriber finds a new connection. `[]`, the
  ///     default: none; a later subscriber gets the replay and the end. ``Restart/afterFailure``:
  ///     it tries again after a failure. `[.afterFinish, .afterFailure]`: it runs the work again
  ///     after any end.
  ///   - backlog: The policy for the values that wait for a subscriber. nil, the default: the
  ///     replay decides. `.size(64, whenFull: .dropOldest)`: the newest 64 wait.
  ///     `.size(64, whenFull: .wait)`: none is lost, and the slowest subscriber sets the pace of
  ///     the upstream.
  ///   - observer: The observer of the connections and the subscribers, or nil, the default.
  /// - Returns: A publisher that is subscribed to this one while it is connected.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let location = PassthroughSubject<String, Never>()
  /// let shared = location.share(
  ///   replay: .latest,
  ///   disconnect: .whenIdle(for: .seconds(5)))
  ///
  /// let map = shared.sink { print("map:", $0) }
  /// location.send("Vienna")
  /// let list = shared.sink { print("list:", $0) }
  /// map.cancel()
  /// list.cancel()
  /// // For five seconds the connection is kept.
  /// location.send("Graz")
  /// let next = shared.sink { print("next:", $0) }
  /// // Prints:
  /// // map: Vienna
  /// // list: Vienna
  /// // next: Graz
  /// ```
  @inlinable
  public func share(
    replay: Replay<Output> = .none, disconnect: Disconnect = .whenIdle, restart: Restart = [],
    backlog: Backlog<Output, Failure>? = nil, observer: (any SharingObserver)? = nil
  ) -> Publishers.Share<Self> {
    Publishers.Share(
      upstream: self, replay: replay, disconnect: disconnect, restart: restart, backlog: backlog,
      observer: observer)
  }
}
