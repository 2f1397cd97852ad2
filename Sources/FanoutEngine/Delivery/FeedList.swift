// `@unchecked Sendable` invariant: the feeds are reached only under the lock, and leave it in arrays
// that one thread owns; asking, cancelling and releasing happen outside it.

internal import Synchronization

/// What feeds a hub: asked for everything as soon as that is wanted, cancelled with the list.
public final class FeedList: @unchecked Sendable {
  struct State {
    var asked: [DeliverySource] = []
    var unasked: [DeliverySource] = []
  }

  let state = Lock(State())
  /// Whether any feed waits to be asked; set under the lock.
  let hasUnasked = AtomicValue<Bool>(false)

  /// Makes an empty list.
  public init() { noteCreation(of: self, isPart: true) }

  deinit { cancelAll() }

  /// Adds a feed, and asks it if `isWanted` says that this is wanted already.
  public func add(_ feed: DeliverySource, isWanted: () -> Bool) {
    forgetOver()
    state.withLock { state in
      state.unasked.append(feed)
      // Before `isWanted`: who makes it wanted looks here after that.
      hasUnasked.store(true, ordering: .sequentiallyConsistent)
    }
    if isWanted() { askAll() }
  }

  /// Lets go of feeds from which nothing can come any more.
  public func forgetOver() {
    let over = state.withLock { state -> [DeliverySource] in
      let isAnyOver = state.asked.contains { $0.isOver } || state.unasked.contains { $0.isOver }
      guard isAnyOver else { return [] }
      let over = (state.asked + state.unasked).filter { $0.isOver }
      state.asked.removeAll { $0.isOver }
      state.unasked.removeAll { $0.isOver }
      return over
    }
    withExtendedLifetime(over) {}
  }

  /// Asks every feed that has not been asked yet.
  public func askAll() {
    guard hasUnasked.load(ordering: .sequentiallyConsistent) else { return }
    let feeds = state.withLock { state in
      hasUnasked.store(false, ordering: .relaxed)
      let feeds = state.unasked
      state.asked += feeds
      state.unasked = []
      return feeds
    }
    for feed in feeds { feed.request(.unlimited) }
  }

  /// Lets go of every feed without cancelling it.
  public func releaseAll() {
    let released = takeAll()
    withExtendedLifetime(released) {}
  }

  /// Cancels every feed and lets go of it.
  public func cancelAll() {
    for feed in takeAll() { feed.cancel() }
  }

  func takeAll() -> [DeliverySource] {
    state.withLock { state in
      let all = state.asked + state.unasked
      state = State()
      return all
    }
  }
}

@available(*, unavailable)
extension FeedList.State: Sendable {}

extension FeedList: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 })]
  }
}
