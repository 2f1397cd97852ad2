// `@unchecked Sendable` invariant: the feeds are reached only under the lock, and leave it in arrays
// that one thread owns; asking, cancelling and releasing happen outside it.

internal import Synchronization

/// What feeds a hub: asked for everything as soon as that is wanted, cancelled with the list.
public final class FeedList<Feed>: @unchecked Sendable {
  @usableFromInline
  struct State {
    @usableFromInline var asked: [Feed] = []
    @usableFromInline var unasked: [Feed] = []
  }

  let state = Lock(State())
  /// Whether any feed waits to be asked; set under the lock.
  let hasUnasked = AtomicValue<Bool>(false)
  let ask: (Feed) -> Void
  let cancel: (Feed) -> Void

  /// Makes an empty list of things that can be asked and cancelled in the given ways.
  public init(ask: @escaping (Feed) -> Void, cancel: @escaping (Feed) -> Void) {
    self.ask = ask
    self.cancel = cancel
    noteCreation(of: self, isPart: true)
  }

  deinit { cancelAll() }

  /// Adds a feed, and asks it if `isWanted` says that this is wanted already.
  public func add(_ feed: Feed, isWanted: () -> Bool) {
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
    let over = state.withLock { state in
      let over = state.asked.filter(Self.isOver) + state.unasked.filter(Self.isOver)
      state.asked.removeAll(where: Self.isOver)
      state.unasked.removeAll(where: Self.isOver)
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
    feeds.forEach(ask)
  }

  /// Lets go of every feed without cancelling it.
  public func releaseAll() {
    let released = takeAll()
    withExtendedLifetime(released) {}
  }

  /// Cancels every feed and lets go of it.
  public func cancelAll() {
    takeAll().forEach(cancel)
  }

  func takeAll() -> [Feed] {
    state.withLock { state in
      let all = state.asked + state.unasked
      state = State()
      return all
    }
  }

  static func isOver(_ feed: Feed) -> Bool {
    (feed as? DeliverySource)?.isOver ?? false
  }
}

@available(*, unavailable)
extension FeedList.State: Sendable {}

extension FeedList: ReferenceListing {
  package var heldReferences: [HeldReference] {
    [.value("state", state.withLock { $0 }), .closure("ask", ask), .closure("cancel", cancel)]
  }
}
