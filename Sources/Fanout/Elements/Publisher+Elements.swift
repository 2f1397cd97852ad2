extension Publishers.Share where Upstream.Output: Sendable {
  /// Returns the values as an `AsyncSequence` that loses nothing between two values.
  ///
  /// A loop is a subscriber with its own place in the shared log. It subscribes and requests
  /// everything when its iterator is made. It leaves when it has fetched the end, when its task is
  /// cancelled, and when its iterator is released, as by `break`. When the last subscriber
  /// leaves, the connection closes, unless a ``Disconnect`` says otherwise.
  /// <doc:FromCallbacksAndTasks#Values-or-elements> compares it with one over `values`, and with a
  /// sink.
  ///
  /// - Completion: `next()` returns nil forever; a failure is thrown once, after every value.
  /// - Concurrency: a loop fetches values itself, from where this publisher accepts them. So no
  ///   subscriber of this publisher can hold the loop up by not returning from `receive`. A
  ///   subscriber of the upstream can: a value that is stuck there has not arrived here (D11). One wait
  ///   is left: a loop that begins while a subscriber is inside `receive` may have to wait for its replay
  ///   until that returns. This happens if a closure or a cache of yours decides what is replayed, or if
  ///   that subscriber is receiving values that it requested one by one or had missed.
  /// - Cost: a loop takes up to 32 waiting values under one lock. While there are loops, the sender takes that lock
  ///   once for each value, and another for each loop that has to skip one.
  ///   Values wait once for all loops, until the slowest has taken them.
  ///
  /// - Backlog: if this publisher has a ``Backlog`` and `buffering` is `.unbounded`, the backlog says what the loop
  ///   loses. Under `.wait` the upstream is asked for more when half of the loop's backlog is taken, or all of it.
  ///
  /// - One by one: some loops request their values one by one, as a loop over `values` does. Such a loop waits for a
  ///   subscriber that is stuck, and costs more. <doc:DemandAndSlowSubscribers#How-a-loop-takes-its-values> lists them:
  ///   newcomers may have to wait for a keyframe, or their backlog limits more than a number of values.
  ///
  /// - Parameter buffering: The policy for values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it is a subscriber of its own.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share(replay: .all)
  /// let keeping = shared.sink { _ in }
  /// (1...2).forEach { source.send($0) }
  /// let first = Task {
  ///   for await value in shared.elements() { print("first", value) }
  /// }
  /// source.send(3)
  /// source.send(completion: .finished)
  /// await first.value
  /// for await value in shared.elements() { print("second", value) }
  /// // Prints:
  /// // first 1
  /// // first 2
  /// // first 3
  /// // second 1
  /// // second 2
  /// // second 3
  /// ```
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Share<Upstream>> {
    Publishers.Elements(source: self, buffering: buffering) { share, buffering in
      share.beginning(buffering, share.sharing.access(of: share).makeCursor(buffering))
    }
  }
}

extension Publishers.Autoconnect where Upstream.Output: Sendable {
  /// Returns the values as an `AsyncSequence` that loses nothing between two values; see
  /// ``Publishers/Share/elements(buffering:)``.
  ///
  /// It exists for a multicast with a ``Replay``, or with a ``ReplaySubject`` of your own. For one
  /// with another subject the compiler says that two types should be equivalent: only a
  /// `ReplaySubject` has a log in which a loop can have a place. Use `multicast(replay: .none)`, or
  /// `values`.
  ///
  /// - Parameter buffering: The policy for values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements<Source: Publisher>(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Autoconnect<Upstream>>
  where Upstream == Publishers.Multicast<Source, ReplaySubject<Source.Output, Source.Failure>> {
    Publishers.Elements(source: self, buffering: buffering) { autoconnect, buffering in
      autoconnect.beginning(buffering, autoconnect._access.makeCursor(buffering))
    }
  }
}

extension Publishers.Multicast where Upstream.Output: Sendable {
  /// Returns the values as an `AsyncSequence` that loses nothing between two values; see
  /// ``Publishers/Share/elements(buffering:)``.
  ///
  /// It exists for a multicast with a ``Replay``, or with a ``ReplaySubject`` of your own. For one
  /// with another subject the compiler says that two types should be equivalent: only a
  /// `ReplaySubject` has a log in which a loop can have a place. Use `multicast(replay: .none)`, or
  /// `values`.
  ///
  /// - Parameter buffering: The policy for values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<Publishers.Multicast<Upstream, SubjectType>>
  where SubjectType == ReplaySubject<Upstream.Output, Upstream.Failure> {
    Publishers.Elements(source: self, buffering: buffering) { multicast, buffering in
      multicast.beginning(buffering, multicast._access.makeCursor(buffering))
    }
  }
}

extension ReplaySubject where Output: Sendable {
  /// Returns the values as an `AsyncSequence` that loses nothing between two values; see
  /// ``Publishers/Share/elements(buffering:)``.
  ///
  /// - Parameter buffering: The policy for values that the loop does not take in time.
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements(
    buffering: Publishers.ElementBuffering = .unbounded
  ) -> Publishers.Elements<ReplaySubject<Output, Failure>> {
    Publishers.Elements(source: self, buffering: buffering) { subject, buffering in
      subject.beginning(buffering, subject._access.makeCursor(buffering))
    }
  }
}

extension SharedPublisher where Output: Sendable {
  /// Returns how a loop begins that has this cursor, or nil if it has to request its values one by one.
  func beginning(
    _ buffering: Publishers.ElementBuffering, _ cursor: ElementCursor<Output, Failure>?
  ) -> Publishers.Elements<Self>.Beginning {
    cursor.map { .cursor($0) } ?? .requests(requests(buffering))
  }

  func requests(_ buffering: Publishers.ElementBuffering) -> AnyPublisher<Output, Failure> {
    guard buffering != .unbounded else { return eraseToAnyPublisher() }
    return joining(backlog: .size(buffering.limit, whenFull: .dropOldest)).eraseToAnyPublisher()
  }
}

extension Publishers.Joining where Source.Output: Sendable {
  /// Returns the values as an `AsyncSequence`, for a loop that joins at this publisher's place and with its backlog.
  ///
  /// Without a backlog, here or of the shared publisher, nothing is lost. Otherwise the rules and the costs are
  /// those of ``Publishers/Share/elements(buffering:)``.
  ///
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = ReplaySubject<Int, Never>(.all)
  /// (1...5).forEach { numbers.send($0) }
  /// numbers.send(completion: .finished)
  /// for await number in numbers.joining(.last(2)).elements() { print(number) }
  /// // Prints:
  /// // 4
  /// // 5
  /// ```
  public func elements() -> Publishers.Elements<Self> {
    Publishers.Elements(source: self, buffering: .unbounded) { source, _ in
      source._access.makeCursor(.unbounded).map { .cursor($0) }
        ?? .requests(source.losingNothing.eraseToAnyPublisher())
    }
  }
}

extension Publishers.ShareState where Output: Sendable {
  /// Returns the snapshots and changes as an `AsyncSequence`; the loop requests them one by one.
  ///
  /// - Returns: A sequence; each loop over it subscribes when it begins and leaves when it ends.
  public func elements() -> Publishers.Elements<Publishers.ShareState<Upstream, State>> {
    Publishers.Elements(source: self, buffering: .unbounded) { source, _ in
      .requests(source.eraseToAnyPublisher())
    }
  }
}
