public import FanoutEngine

/// A sequence that many `for await` loops share: one upstream, a place of its own for each loop.
///
/// ![1: C has had 1 and 2, and is at the end of the log. 2: D joins two back. 3: E is slow, and the log keeps 1 to 5. 4: E has taken 1 and 2, and the log drops them.](one-log)
///
/// You get one from an `AsyncSequence` by its
/// `shared(replay:disconnect:restart:backlog:observer:priority:)`,
/// from a ``Broadcast``, or from a shared publisher by its ``SharedPublisher/values``. The type
/// says only what the values and the failure are. So a property, an actor or a function can name
/// it, whatever the sequence is made of. See also <doc:ShareAnAsyncSequence>.
///
/// - Starts: a subscriber with each iterator.
/// - Stops: with the loop, its task or the end.
/// - A late loop gets: what is replayed, then every later value.
/// - Slow loop: loses nothing, or what the ``Backlog`` says.
/// - Memory: what the slowest loop has not taken, once for all loops.
///
/// - Completion: from then on `next()` returns nil. A failure is thrown once, after every value.
/// - Cancel: when the task of a loop is cancelled, its `next()` returns nil without waiting, and
///   values that waited for this loop are released. The other loops notice nothing. Releasing an
///   iterator, as `break` does, leaves too.
/// - Concurrency: every member may be used from any thread and any actor. The body of a loop runs
///   where the loop is.
/// - Ownership: retains the shared publisher behind it. A loop retains that until it ends.
/// - Cost: a loop takes up to 32 waiting values under one lock, and one where its backlog may drop
///   some.
///
/// ```swift
/// import Fanout
///
/// let (lines, feed) = AsyncStream.makeStream(of: String.self)
/// let shared: SharedSequence<String, Never> =
///   lines.shared(replay: .latest)
/// feed.yield("a")
/// for await line in shared {
///   print("early", line)
///   if line == "b" { break }
///   feed.yield("b")
/// }
/// // There is no loop now, and the stream goes on.
/// feed.finish()
/// for await line in shared { print("late", line) }
/// // Prints:
/// // early a
/// // early b
/// // late b
/// ```
@frozen
public struct SharedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// The shared publisher behind the sequence, for sinks and operators.
  ///
  /// Its subscribers and the loops share one connection. A sink gets every value. A subscriber that
  /// requests its values one by one gets what the ``Replay`` and the ``Backlog`` say.
  public let publisher: AnySharedPublisher<Element, Failure>

  /// Creates a sequence of the values of a shared publisher; see its `values`.
  ///
  /// - Parameter publisher: The shared publisher.
  public init<Source: SharedPublisher & Sendable>(_ publisher: Source)
  where Source.Output == Element, Source.Failure == Failure {
    self.publisher = AnySharedPublisher(publisher)
  }

  init(publisher: AnySharedPublisher<Element, Failure>) { self.publisher = publisher }

  /// Subscribes; the loop receives everything from here on.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  public func makeAsyncIterator() -> Iterator { publisher._access.makeIterator() }

  /// The place of one loop, which leaves the sequence when it is released.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline package let cursor: ElementCursor<Element, Failure>?
    /// The loop that requests its values one by one, where the thread that delivers says what it
    /// gets.
    @usableFromInline package var requests:
      AsyncPublisher<AccessedPublisher<Element, Failure>>.Iterator?

    init(
      cursor: ElementCursor<Element, Failure>?,
      requests: AsyncPublisher<AccessedPublisher<Element, Failure>>.Iterator?
    ) {
      self.cursor = cursor
      self.requests = requests
    }

    /// Waits for the next value; returns nil at the end and when the task is cancelled.
    ///
    /// - Returns: The next value, or nil.
    /// - Throws: The failure, once, after every value.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next value; returns nil at the end and when the task is cancelled.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The next value, or nil.
    /// - Throws: The failure, once, after every value.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard let cursor else { return try await requests?.next(isolation: actor) }
      let fetched: Fetched<Element, Subscribers.Completion<Failure>>
      if let found = cursor.fetch() {
        fetched = found
      } else {
        fetched = await cursor.next(isolation: actor).value
      }
      switch fetched {
      case .element(let element): return element
      case .end(.failure(let error)): throw error
      case .end(.finished), .nothing, .again: return nil
      }
    }
  }
}

@available(*, unavailable)
extension SharedSequence.Iterator: Sendable {}

extension SharedSequence {
  /// Returns a sequence whose loops join at a place and with a backlog of their own.
  ///
  /// All loops share one connection. If you call `joining` on the result of `joining`, only the
  /// last call counts. The traps are those of ``SharedPublisher/joining(_:where:backlog:label:)``.
  ///
  /// - Parameters:
  ///   - place: The place at which a loop joins.
  ///   - isWanted: The closure that returns whether such a loop takes a value, or nil if it takes
  ///     every value. A value that is not wanted doesn't wake the loop, doesn't wait for it and is
  ///     not missed. A loop with a closure requests its values one by one.
  ///   - backlog: The policy for the values that wait for such a loop, or nil for that of the
  ///     shared sequence. With nil, and if the sequence has none either, nothing is lost.
  ///   - label: The name of such a loop in ``status``.
  /// - Returns: A sequence of the same values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>(replay: .last(100))
  /// for number in 1...5 { events.yield(number) }
  /// events.finish()
  /// let lastEvent = 3
  /// for await event in events.values.joining(.after { $0 == lastEvent }) { print(event) }
  /// // Prints:
  /// // 4
  /// // 5
  /// ```
  @preconcurrency
  public func joining(
    _ place: Join<Element> = .replay, where isWanted: (@Sendable (Element) -> Bool)? = nil,
    backlog: Backlog<Element, Failure>? = nil, label: String? = nil
  ) -> SharedSequence<Element, Failure> {
    SharedSequence(publisher.joining(place, where: isWanted, backlog: backlog, label: label))
  }

  /// Waits for one value, and leaves then.
  ///
  /// That is the first value of the replay, if there is one, and the next value otherwise.
  ///
  /// - Completion: if the sequence ends without a value, the result is nil.
  /// - Failure: is thrown, if it comes before a value.
  /// - Cancel: if the task is cancelled while it waits, or before, the result is nil.
  ///   `try Task.checkCancellation()` behind the call tells the two apart.
  ///
  /// - Parameter actor: The actor on which the caller runs.
  /// - Returns: The value, or nil.
  /// - Throws: The failure of the sequence.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>(replay: .last(1))
  /// events.yield(1)
  /// events.yield(2)
  /// print(await events.values.firstValue() ?? 0)
  /// // Prints:
  /// // 2
  /// ```
  public func firstValue(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: actor)
  }

  /// Returns whether any loop or subscriber would take a value; see
  /// ``SharedPublisher/hasSubscribers(matching:)``.
  ///
  /// - Parameter element: The value.
  /// - Returns: Whether the value would have a taker.
  public func hasSubscribers(matching element: Element) -> Bool {
    publisher.hasSubscribers(matching: element)
  }

  /// The state at this moment: the connection, the replay, and the loops and subscribers with an
  /// account; see ``SharedPublisher/status``.
  ///
  /// Cost: O(values of the replay).
  public var status: SharingStatus { publisher.status }

  /// A publisher of the number of loops and subscribers; see ``SharedPublisher/subscriberCount``.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = Broadcast<Int, Never>()
  /// let watching = events.values.subscriberCount.sink { print($0) }
  /// do {
  ///   let loop = events.values.makeAsyncIterator()
  ///   withExtendedLifetime(loop) {}
  /// }
  /// watching.cancel()
  /// // Prints:
  /// // 0
  /// // 1
  /// // 0
  /// ```
  public var subscriberCount: some Publisher<Int, Never> & Sendable { publisher.subscriberCount }

  /// The values that a newcomer would get now; empty without a connection; see
  /// ``SharedPublisher/replayed``.
  ///
  /// Cost: O(values).
  public var replayed: [Element] { publisher.replayed }

  /// Replaces the connection by a new one with a clean replay; the loops stay.
  ///
  /// The upstream is iterated again, in a new task. So this is for sequences that can begin again:
  /// with one that can be iterated once, such as an `AsyncStream`, it traps. Without a live
  /// connection this does nothing. See ``SharedPublisher/reconnect()``.
  public func reconnect() { publisher.reconnect() }

  /// Releases what newcomers would get, so that they start behind this point; see
  /// ``SharedPublisher/clearReplay()``.
  public func clearReplay() { publisher.clearReplay() }
}
