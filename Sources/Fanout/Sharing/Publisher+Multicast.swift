extension Publisher {
  /// Shares one subscription to this publisher through a subject made by a closure.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is let go | what the subject gives | as the subject | as the subject |
  ///
  /// - Parameter createSubject: makes the subject, once, when it is first needed.
  /// - Returns: a publisher that starts at `connect()`.
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
  @inlinable
  public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher through a subject.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is let go | what the subject gives | as the subject | as the subject |
  ///
  /// - Parameter subject: gives the values on; retained.
  /// - Returns: a publisher that starts at `connect()`.
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
  @inlinable
  public func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where Failure == S.Failure, Output == S.Output {
    Publishers.Multicast(upstream: self, createSubject: { subject })
  }

  /// Shares one subscription to this publisher and replays to late subscribers.
  ///
  /// Each connection starts with a clean memory. Subscribers stay attached over a disconnect, and
  /// one that lags still gets what it is owed.
  ///
  /// | starts | stops | a late subscriber gets | slow subscriber | memory |
  /// | --- | --- | --- | --- | --- |
  /// | at `connect()` | when the last claim is let go | its replay, then live values | see ``Replay`` | see ``Replay`` |
  ///
  /// - Parameter replay: what a late subscriber receives before live values.
  /// - Returns: a publisher that starts at `connect()`.
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
    replay: Replay<Output>
  ) -> Publishers.Multicast<Self, ReplaySubject<Output, Failure>> {
    Publishers.Multicast(upstream: self, replay: replay)
  }
}
