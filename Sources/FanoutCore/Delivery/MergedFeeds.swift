public import FanoutEngine
internal import Synchronization

/// Several publishers whose values are put into one queue: those that have not ended.
///
/// It is not generic: code that is not specialised would look its type up at each use.
@usableFromInline
struct MergedFeeds: ~Copyable {
  struct State {
    /// In no order: each knows its place.
    var active: [MergedFeed] = []
    var count = 0
    var mayMoreCome = true
    /// Whether no publisher is accepted any more: one has failed, or the subscription is cancelled.
    var isClosed = false
  }

  let state = Lock(State())
  /// Whether everything was asked for; set under the lock.
  let unlimited = AtomicValue<Bool>(false)

  @usableFromInline init() {}

  @usableFromInline var isUnlimited: Bool { unlimited.load(ordering: .acquiring) }

  /// Adds one more, unless nothing is wanted any more.
  @usableFromInline
  borrowing func add() -> MergedFeed? {
    let feed = MergedFeed()
    let isAccepted = state.withLock { state -> Bool in
      guard !state.isClosed else { return false }
      state.count += 1
      feed.number = state.count
      feed.place = state.active.count
      state.active.append(feed)
      return true
    }
    return isAccepted ? feed : nil
  }

  /// Whether there are fewer than so many.
  @usableFromInline
  borrowing func hasRoom(for limit: Credit) -> Bool {
    limit.isUnlimited || state.withLock { UInt($0.active.count) < limit.rawValue }
  }

  /// Removes one that has finished; returns whether that was the last of all, or nil if it was not
  /// there any more.
  @usableFromInline
  borrowing func remove(_ feed: MergedFeed) -> Bool? {
    state.withLock { state -> Bool? in
      let place = feed.place
      guard place < state.active.count, state.active[place] === feed else { return nil }
      state.active.swapAt(place, state.active.count - 1)
      state.active[place].place = place
      state.active.removeLast()
      return state.active.isEmpty && !state.mayMoreCome
    }
  }

  /// Says that no more come; returns whether all have finished.
  borrowing func noMoreCome() -> Bool {
    state.withLock { state in
      state.mayMoreCome = false
      return state.active.isEmpty
    }
  }

  /// Accepts no more, and cancels those there are, in the order in which they came.
  borrowing func cancelAll() {
    let cancelled = state.withLock { state in
      let cancelled = state.active
      state.active = []
      state.isClosed = true
      return cancelled
    }
    for feed in cancelled.sorted(by: { $0.number < $1.number }) { feed.cancel() }
  }

  /// What a publisher is asked for at the start.
  ///
  /// It has its source by then, so that either this sees that everything is wanted, or who wants
  /// everything sees that source.
  @usableFromInline
  borrowing func creditForNewcomer() -> Credit {
    state.withLock { _ in unlimited.load(ordering: .relaxed) } ? .unlimited : Credit(rawValue: 1)
  }

  @usableFromInline
  borrowing func askForEverything() {
    let asked = state.withLock { state -> [MergedFeed] in
      guard !unlimited.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
      return state.active
    }
    for feed in asked.sorted(by: { $0.number < $1.number }) { feed.stage.request(.unlimited) }
  }
}

@available(*, unavailable)
extension MergedFeeds: Sendable {}
