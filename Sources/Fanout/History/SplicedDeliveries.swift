public import FanoutEngine

/// The values of a store and then those of a shared sequence, each once:
/// ``SharedSequence/joining(after:from:ifNil:backlog:label:)`` returns it.
///
/// - Starts: a subscriber with each iterator.
/// - Stops: with the loop, its task or the end.
/// - A late loop gets: what the store has behind its id, `.caughtUp`, then every later value.
/// - Slow loop: gets from the store what its ``Backlog`` has dropped.
/// - Memory: its backlog; of a read at most 256 values.
///
/// - Completion: the end of the shared sequence, behind what the store has.
/// - Cancel: `next()` returns nil, and the read ends if no other loop needs it.
/// - Ownership: retains the shared publisher and the history.
/// - Cost: of a live value, that of a loop over ``SharedSequence/deliveries()``, and one
///   comparison.
public struct SplicedDeliveries<
  Value: Sendable, ID: Comparable & Sendable, Failure: Error
>: AsyncSequence, Sendable {
  private let live: SharedDeliveries<Value, Failure>
  private let history: History<Value, ID>
  private let last: ID?
  private let start: HistoryStart

  init(
    _ live: SharedDeliveries<Value, Failure>, after last: ID?, from history: History<Value, ID>,
    ifNil start: HistoryStart
  ) {
    self.live = live
    self.history = history
    self.last = last
    self.start = start
  }

  /// The values alone, without the notes about them.
  ///
  /// Use it if a loop does not need to know what the store gave. A value that neither the store nor
  /// the live stream has any more is then missed without a word.
  public var values: AsyncCompactMapSequence<Self, Value> { compactMap { $0.value } }

  /// Subscribes; the loop receives everything from here on, and what the store has behind its id.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  public func makeAsyncIterator() -> Iterator {
    // The place first: a read that begins later has everything that was sent before it.
    let place = live.makeAsyncIterator()
    return Iterator(
      live: place, history: history, after: last, isSearching: last != nil || start == .all)
  }

  /// The place of one loop, which leaves when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    /// The place in the live stream; nil when the loop has left.
    @usableFromInline var live: SharedDeliveries<Value, Failure>.Iterator?
    private let history: History<Value, ID>
    /// The place in a read, during a fill.
    private var stored: HistoryPlace<Value, ID>?
    @usableFromInline var splice: Splice<Value, ID, Failure>
    /// The number of reads that had begun when the loop had its place, or learned of its last gap.
    private var begun: Int

    fileprivate init(
      live: SharedDeliveries<Value, Failure>.Iterator, history: History<Value, ID>,
      after last: ID?, isSearching: Bool
    ) {
      self.live = live
      self.history = history
      splice = Splice(
        after: last, isSearching: isSearching, isConflated: history.isConflated, id: history.id)
      begun = history.reads.begun
    }

    /// Waits for the next event; returns nil at the end and when the task is cancelled.
    ///
    /// - Returns: The next event, or nil.
    /// - Throws: The failure, once, after every event.
    @inlinable
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> Delivery<Value>? {
      try await next(isolation: #isolation)
    }

    /// Waits for the next event; returns nil at the end and when the task is cancelled.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The next event, or nil.
    /// - Throws: The failure, once, after every event.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Delivery<Value>? {
      while splice.isPassing, let found = live?.cursor?.fetchNotice(isSpecialized: true) {
        guard case .element(.live(let value)) = found else {
          accept(found)
          break
        }
        if splice.pass(value) { return .live(value) }
      }
      return try await advance(isolation: actor)
    }

    /// Does what the splice says until there is an event for the loop.
    @usableFromInline
    mutating func advance(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Delivery<Value>? {
      while live != nil, !Task.isCancelled {
        switch splice.next() {
        case .give(let event): return event
        case .fetch: splice.receive(try await fetch(isolation: actor))
        case .peek: if !peek() { splice.nothingWaits() }
        case .ask(let range):
          stored = history.reads.place(for: range, begun: begun, isAlone: splice.isAlone)
          splice.didAsk()
        case .pull: if let value = await pull(isolation: actor) { return .replayed(value) }
        case .end(let failure):
          leave()
          if let failure { throw failure }
        }
      }
      leave()
      return nil
    }

    /// Waits for the next live event.
    private mutating func fetch(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Splice<Value, ID, Failure>.Live {
      do throws(Failure) {
        guard let event = try await live?.next(isolation: actor, isSpecialized: false)
        else { return .end(nil) }
        if case .missed = event { begun = history.reads.begun }
        return .event(event)
      } catch {
        return .end(error)
      }
    }

    /// Takes the next live event; returns whether there was one.
    private mutating func peek() -> Bool {
      guard let found = live?.cursor?.fetchNotice() else { return false }
      return accept(found)
    }

    /// Accepts a live event, if there is one.
    @discardableResult
    @usableFromInline
    mutating func accept(_ found: Fetched<Notice<Value>, Subscribers.Completion<Failure>>) -> Bool {
      switch found {
      case .element(let notice):
        let event = Delivery(notice)
        if case .missed = event { begun = history.reads.begun }
        splice.receive(.event(event))
      case .end(.failure(let error)): splice.receive(.end(error))
      case .end(.finished), .nothing: splice.receive(.end(nil))
      case .again: return false
      }
      return true
    }

    /// Waits for the next stored value; returns it if it is to be given.
    private mutating func pull(isolation actor: isolated (any Actor)?) async -> Value? {
      guard let event = await stored?.next(isolation: actor) else { return nil }
      // A live value may bound the read by now.
      while splice.wantsBound, peek() {}
      var isGiven: Value?
      switch event {
      case .value(let value):
        if splice.receive(stored: value) { isGiven = value }
      case .end(let isOwn, let isComplete): splice.endRead(isOwn: isOwn, isComplete: isComplete)
      case .failure(let error, let isOwn): splice.fail(error, isOwn: isOwn)
      case .behind: splice.askAgain(alone: false)
      case .cancelled: break
      }
      if !splice.isReading { stored = nil }
      return isGiven
    }

    /// Leaves the live stream and the read.
    private mutating func leave() {
      live = nil
      stored = nil
      splice.leave()
    }
  }
}

extension SharedSequence {
  /// Returns the stored values behind an id and then the live ones, each once.
  ///
  /// A loop takes its place in the live stream first, and what comes from then on waits in its
  /// backlog. It then asks the history for what lies between `id` and the first value that the live
  /// stream has for it, which may be the first of the replay. If the replay has the place of `id`,
  /// the history is not asked. The loop gets the stored values as `.replayed`, then the rest of the
  /// replay, `.caughtUp`, and each later value as `.live`. Rules H1 to H5 say what is certain, and
  /// ``History`` what the store has to keep.
  ///
  /// A loop whose backlog has dropped values gets these from the history too, as `.replayed`, and
  /// then goes on. So a small backlog bounds the memory, and loses nothing. `.missed` comes only
  /// for what the history cannot give. As in B2, a backlog that waits is the exception to H4: under
  /// it a loop that reads the history holds the upstream back.
  ///
  /// A loop without an id, such as that of a new client, gets everything that the history has. With
  /// `ifNil: .live` it gets neither the history nor the replay: `.caughtUp`, and then each later
  /// value.
  ///
  /// It traps if the backlog conflates, or if the replay has headers (``Replay/headed(by:)``):
  /// these come out of the order of their ids.
  ///
  /// - Parameters:
  ///   - id: The id of the last value that the loop has had, or nil if it has had none.
  ///   - history: The store of the values.
  ///   - start: The beginning for a loop without an id: all that the history has, or the live
  ///     values alone.
  ///   - backlog: The policy for the values that wait for such a loop, or nil for that of the
  ///     shared sequence.
  ///   - label: The name of such a loop in ``status``.
  /// - Returns: A sequence of events; each loop over it is a subscriber of its own.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let stored = [1, 2, 3, 4, 5]
  /// let history = History(by: \Int.self) { range in stored.filter { range.contains($0) } }
  /// let live = Broadcast<Int, Never>(replay: .last(2))
  /// for number in stored { live.yield(number) }
  /// for await event in live.values.joining(after: 2, from: history) {
  ///   print(event)
  ///   if case .caughtUp = event {
  ///     live.yield(6)
  ///     live.finish()
  ///   }
  /// }
  /// // Prints:
  /// // replayed(3)
  /// // replayed(4)
  /// // replayed(5)
  /// // caughtUp
  /// // live(6)
  /// ```
  public func joining<ID: Comparable & Sendable>(
    after id: ID?, from history: History<Element, ID>, ifNil start: HistoryStart = .all,
    backlog: Backlog<Element, Failure>? = nil, label: String? = nil
  ) -> SplicedDeliveries<Element, ID, Failure> {
    let hub = publisher._access.hub
    trap(
      unless: hub.rules.makeHeaders == nil,
      """
      joining(after:from:): the replay has headers, which come out of the order of their ids; \
      share without headed(by:).
      """)
    let policy = backlog?.policy ?? hub.limits?.policy
    trap(
      unless: policy.map { $0.endsWait || $0.limitsDemand } ?? true,
      """
      joining(after:from:): a backlog with .conflate changes the order of ids; pass a backlog that \
      drops or rejoins.
      """)
    // The contents of a cache need not be all values behind the first of them.
    let isLive = hub.rules.makeCache != nil || (id == nil && start == .live)
    return SplicedDeliveries(
      joining(isLive ? .live : .replay, backlog: backlog, label: label).deliveries(), after: id,
      from: history, ifNil: start)
  }
}

extension SharedPublisher where Self: Sendable, Output: Sendable {
  /// Returns the stored values behind an id and then the live ones, each once, for `for await`
  /// loops; see ``SharedSequence/joining(after:from:ifNil:backlog:label:)``.
  ///
  /// - Parameters:
  ///   - id: The id of the last value that the loop has had, or nil if it has had none.
  ///   - history: The store of the values.
  ///   - start: The beginning for a loop without an id: all that the history has, or the live
  ///     values alone.
  ///   - backlog: The policy for the values that wait for such a loop, or nil for that of the
  ///     shared publisher.
  ///   - label: The name of such a loop in ``status``.
  /// - Returns: A sequence of events; each loop over it is a subscriber of its own.
  public func joining<ID: Comparable & Sendable>(
    after id: ID?, from history: History<Output, ID>, ifNil start: HistoryStart = .all,
    backlog: Backlog<Output, Failure>? = nil, label: String? = nil
  ) -> SplicedDeliveries<Output, ID, Failure> {
    values.joining(after: id, from: history, ifNil: start, backlog: backlog, label: label)
  }
}

@available(*, unavailable)
extension SplicedDeliveries.Iterator: Sendable {}
