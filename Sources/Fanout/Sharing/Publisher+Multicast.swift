// Invariant of the `nonisolated(unsafe)` constant: it is read only by the closure of a `Multicast`,
// which is `Sendable` only if the type of the subject is; otherwise the publisher stays where the
// subject is.

extension Publisher {
  /// Shares one subscription to this publisher through a subject that a closure creates.
  ///
  /// ![C joins and waits. connect() starts A, and C gets 1 and 2. D joins, and both get 3. C and D stay attached when it disconnects.](multicast)
  ///
  /// - Starts: at `connect()`.
  /// - Stops: when the last claim is released.
  /// - A late subscriber gets: what the subject gives.
  /// - A slow subscriber: as the subject.
  /// - Memory: as the subject.
  ///
  /// The subject decides what a late subscriber gets. <doc:ShareInFull> compares the ways to start
  /// and to stop.
  ///
  /// - Parameter createSubject: The closure that creates the subject, once, when it is first
  ///   needed.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let work = source.multicast {
  ///   PassthroughSubject<Int, Never>()
  /// }
  /// let early = work.sink { print("early", $0) }
  /// let connection = work.connect()
  /// source.send(1)
  /// let late = work.sink { print("late", $0) }
  /// source.send(2)
  /// connection.cancel()
  /// // Prints:
  /// // early 1
  /// // early 2
  /// // late 2
  /// ```
  @preconcurrency
  public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher through the specified subject.
  ///
  /// ![Through a CurrentValueSubject of 0: C gets 0, after connect() 1, 2 and 3. D joins later, and gets 2 and 3.](multicast-subject)
  ///
  /// - Starts: at `connect()`.
  /// - Stops: when the last claim is released.
  /// - A late subscriber gets: what the subject gives.
  /// - A slow subscriber: as the subject.
  /// - Memory: as the subject.
  ///
  /// The subject decides what a late subscriber gets. <doc:ShareInFull> compares the ways to start
  /// and to stop.
  ///
  /// - Parameter subject: The subject that delivers the values to subscribers; retained.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let state = CurrentValueSubject<Int, Never>(0)
  /// let shared = source.multicast(subject: state)
  /// let early = shared.sink { print("early", $0) }
  /// let connection = shared.connect()
  /// source.send(1)
  /// let late = shared.sink { print("late", $0) }
  /// print("holds", state.value)
  /// connection.cancel()
  /// // Prints:
  /// // early 0
  /// // early 1
  /// // late 1
  /// // holds 1
  /// ```
  public func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    nonisolated(unsafe) let subject = subject
    return Publishers.Multicast(upstream: self, createSubject: { subject })
  }

  /// Shares one subscription to this publisher and replays to late subscribers.
  ///
  /// ![With replay .latest: connect() starts A, and C gets 1 and 2. D joins, gets 2 at once, and then 3, as C does.](multicast-replay)
  ///
  /// Each connection starts with an empty replay. Subscribers stay attached across a disconnect,
  /// and a slow one still receives what it lacks. <doc:ShareInFull> compares the ways to start and
  /// to stop, and <doc:LateSubscribers> the replays.
  ///
  /// - Starts: at `connect()`.
  /// - Stops: when the last claim is released.
  /// - A late subscriber gets: its replay, then live values.
  /// - A slow subscriber: depends on the ``Replay``.
  /// - Memory: depends on the ``Replay``.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber receives before live values.
  ///   - restart: The ends after which the next subscriber or the next `connect()` finds a new
  ///     connection. That subscriber gets nothing before `connect()` is called. By default an ended
  ///     connection stays.
  ///   - backlog: The policy for the values that wait for a subscriber, or nil if the replay
  ///     decides. A backlog that ``Backlog/WhenFull/rejoin`` limits traps under ``Replay/all``,
  ///     which has no start ahead.
  ///   - observer: The observer of the connections and the subscribers, or nil.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let recorded = source.multicast(replay: .latest)
  /// let early = recorded.sink { print("early", $0) }
  /// let connection = recorded.connect()
  /// source.send(1)
  /// source.send(2)
  /// let late = recorded.sink { print("late", $0) }
  /// connection.cancel()
  /// // Prints:
  /// // early 1
  /// // early 2
  /// // late 2
  /// ```
  @inlinable
  public func multicast(
    replay: Replay<Output>, restart: Restart = [], backlog: Backlog<Output, Failure>? = nil,
    observer: (any SharingObserver)? = nil
  ) -> Publishers.Multicast<Self, ReplaySubject<Output, Failure>> {
    Publishers.Multicast(
      upstream: self, replay: replay, restart: restart, backlog: backlog, observer: observer)
  }
}
