// Invariant of the `nonisolated(unsafe)` constant: it is read only by the closure of a `Multicast`, which is `Sendable`
// only if the type of the subject is; otherwise the publisher stays where the subject is.

extension Publisher {
  /// Shares one subscription to this publisher through a subject that a closure creates.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is released | what the subject gives | as the subject | as the subject |
  ///
  /// - Parameter createSubject: The closure that creates the subject, once, when it is first
  ///   needed.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let work = [1, 2].publisher.multicast { PassthroughSubject<Int, Never>() }
  /// let a = work.sink { print("a", $0) }
  /// let b = work.sink { print("b", $0) }
  /// let connection = work.connect()
  /// connection.cancel()
  /// a.cancel()
  /// b.cancel()
  /// // Prints:
  /// // a 1
  /// // b 1
  /// // a 2
  /// // b 2
  /// ```
  @preconcurrency
  public func multicast<S: Subject>(
    _ createSubject: @escaping @Sendable () -> S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher through the specified subject.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is released | what the subject gives | as the subject | as the subject |
  ///
  /// - Parameter subject: The subject that delivers the values to subscribers; retained.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let state = CurrentValueSubject<Int, Never>(0)
  /// let reader = state.sink { print($0) }
  /// let connection = [1, 2].publisher.multicast(subject: state).connect()
  /// print("holds", state.value)
  /// connection.cancel()
  /// reader.cancel()
  /// // Prints:
  /// // 0
  /// // 1
  /// // 2
  /// // holds 2
  /// ```
  public func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    nonisolated(unsafe) let subject = subject
    return Publishers.Multicast(upstream: self, createSubject: { subject })
  }

  /// Shares one subscription to this publisher and replays to late subscribers.
  ///
  /// Each connection starts with an empty replay. Subscribers stay attached across a disconnect,
  /// and a slow one still receives what it is owed.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is released | its replay, then live values | depends on the ``Replay`` | depends on the ``Replay`` |
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber receives before live values.
  ///   - restart: The ends after which the next subscriber or the next `connect()` finds a new connection. That
  ///     subscriber gets nothing before `connect()` is called. By default an ended connection stays.
  ///   - backlog: The policy for the values that wait for a subscriber, or nil if the replay decides. A backlog
  ///     that ``Backlog/WhenFull/rejoin`` limits traps under ``Replay/all``, which has no start ahead.
  ///   - observer: The observer of the connections and the subscribers, or nil.
  /// - Returns: A publisher that starts at `connect()`.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let recorded = source.multicast(replay: .last(1))
  /// let connection = recorded.connect()
  /// source.send(1)
  /// source.send(2)
  /// let late = recorded.sink { print($0) }
  /// connection.cancel()
  /// late.cancel()
  /// // Prints:
  /// // 2
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
