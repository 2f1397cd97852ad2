// `@unchecked Sendable` invariant: both properties are constants. The closure that changes the
// state was passed in as `@Sendable`, and only the delivering thread reaches the state.

public import FanoutEngine

extension Publishers {
  /// A publisher that shares a state and its changes: each subscriber gets a snapshot of the state,
  /// then every change.
  ///
  /// It is a ``Share`` whose replay is the state, with all values of the upstream so far applied to
  /// it.
  ///
  /// - Starts: with the first subscriber.
  /// - Stops: with the last one, or as its ``Disconnect`` says.
  /// - A late subscriber gets: a snapshot, then changes.
  /// - A slow subscriber: loses nothing, or as its ``Backlog`` says.
  /// - Memory: the state, and what a slow subscriber lacks.
  ///
  /// - Completion: the state and the completion stay. A later subscriber gets a snapshot and the
  ///   completion, unless a ``Restart`` says otherwise.
  /// - Cancel of the last subscriber: cancels the upstream and discards the state, unless a
  ///   ``Disconnect`` says otherwise. The next connection begins with the initial state.
  /// - Concurrency: as ``Share``. The delivering thread changes the state, once for each value,
  ///   before any subscriber gets it.
  /// - Ownership: retains its upstream publisher and the initial state always, its connection with
  ///   the state while that is live or ended.
  public final class ShareState<Upstream: Publisher, State>: Publisher, UpstreamFailure {
    /// A snapshot of the state, or one of the upstream's values, which change it.
    public typealias Output = StateUpdate<State, Upstream.Output>

    /// The upstream publisher, whose values change the state.
    package let upstream: Upstream
    package let sharing: CountedSharing<Output, Upstream.Failure>

    init(
      upstream: Upstream, initial: State, disconnect: Disconnect, restart: Restart,
      backlog: Backlog<Output, Upstream.Failure>?, observer: (any SharingObserver)?,
      update: @escaping @Sendable (inout State, Upstream.Output) -> Void
    ) {
      self.upstream = upstream
      let replay = Replay<Output>(makeStateCache: {
        let cache = HeldCache(StateCache(initial, update: update))
        return CustomCache(
          record: { event in cache.change { $0.record(event) } },
          contents: { cache.read(or: []) { [.snapshot($0.state)] } },
          count: { cache.read(or: 0) { _ in 1 } }, copy: { cache.cache.state }, isSnapshot: true)
      })
      sharing = CountedSharing(
        UpstreamShareCore.current(
          upstream.map { .change($0) }, replay, restart: restart, backlog, observer),
        counting: disconnect.counter(around:))
      noteCreation(of: self)
    }

    /// Attaches the specified subscriber, and subscribes to the upstream if it is the first.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      _access.attach(subscriber)
    }

    /// Attaches the closures of a sink.
    @_documentation(visibility: internal)
    public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
      -> AnyCancellable
    {
      sharing.access(of: self).sink(closures)
    }
  }
}

extension Publishers.ShareState: @unchecked Sendable
where Upstream: Sendable, Upstream.Output: Sendable, State: Sendable {}

extension Replay {
  /// Creates a policy that replays the contents of a cache that the engine uses as it is.
  init(makeStateCache: @escaping () -> CustomCache<Value>) {
    self.init(memory: .custom(makeStateCache))
  }
}

extension Publisher {
  /// Shares a state that the values of this publisher change: each subscriber gets a snapshot, then
  /// every change.
  ///
  /// ![C joins first: it gets a snapshot, 0, and then +2 and +3. D joins later: it gets a snapshot, 5. Both get +1.](share-reducing)
  ///
  /// Use it for a state that is large compared with its changes, such as an order book, a document
  /// or a table: newcomers need not receive all its history, and the others need not receive the
  /// whole state again and again.
  ///
  /// - Starts: with the first subscriber; again after an end in `restart`.
  /// - Stops: as `disconnect` says.
  /// - A late subscriber gets: a snapshot, then changes.
  /// - A slow subscriber: loses nothing, or as `backlog` says.
  /// - Memory: the state, and what a slow subscriber lacks.
  ///
  /// The state belongs to the connection, so it ends with that: hold it by a subscriber, or with
  /// ``Disconnect/whenReleased`` and the result of this method. By default the state is gone when
  /// the last subscriber has left. The next connection begins with `initial`, and what the upstream
  /// has sent until then is lost. A state that is there without a subscriber, and that can be read,
  /// is that of a ``Broadcast``: see its `init(reducingInto:backlog:observer:_:)`.
  /// <doc:ShareInFull#A-state> compares them.
  ///
  /// With a backlog that ``Backlog/WhenFull/rejoin`` limits, a subscriber that is too slow gets a
  /// new snapshot in place of all that waits for it, and then later changes. So its state is right
  /// again. A backlog that drops values leaves out changes, or the snapshot, without a word. Under
  /// ``Backlog/WhenFull/conflate(by:)`` give all events one key, and merge them. Otherwise a change
  /// of a new connection can take the place of one in front of its snapshot.
  ///
  /// Cost: one call of `update` a value. A snapshot is a copy of the state. If the state is an
  /// array or a dictionary, the first change after a snapshot copies its storage. Each newcomer
  /// takes one snapshot. Under a backlog of `count` that rejoins, a subscriber that does not read
  /// takes one after every `count` changes.
  ///
  /// - Parameters:
  ///   - initial: The state with which each connection begins.
  ///   - disconnect: The moment at which the connection is closed. By default that is when the last
  ///     subscriber leaves.
  ///   - restart: The ends after which the next subscriber finds a new connection. By default an
  ///     ended connection stays.
  ///   - backlog: The policy for the events that wait for a subscriber, or nil if it may lag
  ///     without a limit.
  ///   - observer: The observer of the connections and the subscribers, or nil.
  ///   - update: The closure that applies a value to the state. The delivering thread calls it once
  ///     for each value, with no lock held.
  /// - Returns: A publisher of snapshots and changes.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let votes = PassthroughSubject<String, Never>()
  /// let counts = votes.share(
  ///   reducingInto: [String: Int]()
  /// ) { counts, vote in counts[vote, default: 0] += 1 }
  /// let early = counts.sink { print("early", $0) }
  /// votes.send("tea")
  /// votes.send("tea")
  /// let late = counts.sink { print("late", $0) }
  /// votes.send("milk")
  /// // Prints:
  /// // early snapshot([:])
  /// // early change("tea")
  /// // early change("tea")
  /// // late snapshot(["tea": 2])
  /// // early change("milk")
  /// // late change("milk")
  /// ```
  @preconcurrency
  public func share<State: Sendable>(
    reducingInto initial: State, disconnect: Disconnect = .whenIdle, restart: Restart = [],
    backlog: Backlog<StateUpdate<State, Output>, Failure>? = nil,
    observer: (any SharingObserver)? = nil,
    _ update: @escaping @Sendable (inout State, Output) -> Void
  ) -> Publishers.ShareState<Self, State> {
    Publishers.ShareState(
      upstream: self, initial: initial, disconnect: disconnect, restart: restart,
      backlog: backlog, observer: observer, update: update)
  }
}
