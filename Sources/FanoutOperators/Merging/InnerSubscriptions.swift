// Relaxed load: invariant: `unlimited` is read under the lock under which it is set.

internal import FanoutCore
package import FanoutEngine
internal import Synchronization

/// The subscriptions to several publishers whose values share one queue: those that have not ended.
///
/// Their completions can meet on several threads. `State` decides under the lock which of them
/// counts; the consequences are carried out outside.
///
/// It is not generic: code that is not specialised would look its type up at each use.
package struct InnerSubscriptions: ~Copyable {
  /// The effect on the whole when one publisher has finished, or when no more will be added.
  enum Outcome: Sendable {
    /// All publishers have finished and no more will be added; returned once.
    case allHaveFinished
    /// Some publishers have not finished, or others may be added.
    case othersMayCome
    /// The end was decided before, or there was a cancel.
    case isOver
  }

  package struct State {
    /// The subscriptions in no order: each knows its index.
    var active: [InnerSubscription] = []
    var count = 0
    var mayMoreCome = true
    var disallowsDrops = false
    /// Whether the end is decided: one publisher has failed, all have finished, or the subscription
    /// is cancelled.
    var isClosed = false

    /// The subscriptions in the order in which they were added.
    ///
    /// A copy, to be made under the lock: if the list's own storage were read outside, Thread
    /// Sanitizer would report a race with the next change.
    var inOrder: [InnerSubscription] { active.sorted { $0.number < $1.number } }

    mutating func add(_ feed: InnerSubscription) -> Bool {
      guard !isClosed else { return false }
      count += 1
      feed.number = count
      feed.place = active.count
      active.append(feed)
      return true
    }

    mutating func remove(_ feed: InnerSubscription) -> Outcome {
      guard !isClosed else { return .isOver }
      let place = feed.place
      active.swapAt(place, active.count - 1)
      active[place].place = place
      active.removeLast()
      return outcome()
    }

    mutating func noMoreCome() -> Outcome {
      guard !isClosed else { return .isOver }
      mayMoreCome = false
      return outcome()
    }

    mutating func close() -> [InnerSubscription]? {
      guard !isClosed else { return nil }
      isClosed = true
      defer { active = [] }
      return inOrder
    }

    private mutating func outcome() -> Outcome {
      guard active.isEmpty, !mayMoreCome else { return .othersMayCome }
      isClosed = true
      return .allHaveFinished
    }
  }

  package let state = Lock(State())
  /// Whether everything has been requested; set under the lock.
  let unlimited = AtomicValue<Bool>(false)

  init() {}

  var isUnlimited: Bool { unlimited.load(ordering: .acquiring) }

  /// Adds one more subscription; returns nil if the end was decided before.
  borrowing func add() -> InnerSubscription? {
    let feed = InnerSubscription()
    return state.withLock { $0.add(feed) } ? feed : nil
  }

  /// Returns whether there are fewer subscriptions than the limit.
  borrowing func hasRoom(for limit: Credit) -> Bool {
    limit.isUnlimited || state.withLock { UInt($0.active.count) < limit.rawValue }
  }

  /// Removes a subscription whose publisher has finished, which happens once for each.
  borrowing func remove(_ feed: InnerSubscription) -> Outcome { state.withLock { $0.remove(feed) } }

  /// Notes that no more publishers will be added.
  borrowing func noMoreCome() -> Outcome { state.withLock { $0.noMoreCome() } }

  /// Closes the list for a failure or a cancel, so that no other completion counts and no more
  /// publishers are added.
  ///
  /// Returns the subscriptions that have not finished, in the order in which they were added, for
  /// the caller to cancel; nil if the end was decided before.
  borrowing func close() -> [InnerSubscription]? {
    state.withLock { $0.close() }
  }

  /// Returns the initial demand for a new publisher.
  ///
  /// The subscription has its source by then. So either this method sees that everything was
  /// requested, or the caller of `askForEverything()` sees that source.
  borrowing func creditForNewcomer(_ feed: InnerSubscription) -> Credit {
    if isUnlimited { return .unlimited }
    let (isWanted, isToDropNone) = state.withLock {
      (unlimited.load(ordering: .relaxed), $0.disallowsDrops)
    }
    let isAskedForAll = isWanted || (isToDropNone && feed.disallowDrops())
    return isAskedForAll ? .unlimited : Credit(rawValue: 1)
  }

  /// Requests everything from the publishers that drop what is not requested, in the order in which
  /// they were added, and from those that come later.
  borrowing func disallowDrops() {
    let feeds = state.withLock { state in
      state.disallowsDrops = true
      return state.inOrder
    }
    for feed in feeds where feed.disallowDrops() { feed.request(.unlimited) }
  }

  borrowing func askForEverything() {
    let asked = state.withLock { state -> [InnerSubscription] in
      guard !unlimited.exchange(true, ordering: .acquiringAndReleasing) else { return [] }
      return state.inOrder
    }
    for feed in asked { feed.request(.unlimited) }
  }
}
