// `@unchecked Sendable` invariant: the upstreams are reached only under the lock, and leave it in arrays
// that one thread owns; asking, cancelling and releasing happen outside it.
// The relaxed store is made under the lock.

internal import Synchronization

/// The upstreams of a hub: each is asked for everything once that is wanted, and cancelled with the list.
public final class UpstreamList: @unchecked Sendable {
  package struct State {
    var asked: [DeliverySource] = []
    var unasked: [DeliverySource] = []
  }

  package let state = Lock(State())
  /// Whether an upstream has not been asked yet; set under the lock.
  let hasUnasked = AtomicValue<Bool>(false)

  /// Creates an empty list.
  public init() { noteCreation(of: self, isPart: true) }

  deinit { cancelAll() }

  /// Adds an upstream, and asks it for values if `isWanted` returns true.
  public func add(_ feed: DeliverySource, isWanted: () -> Bool) {
    forgetOver()
    state.withLock { state in
      state.unasked.append(feed)
      // Before `isWanted`: who makes it wanted looks here after that.
      hasUnasked.store(true, ordering: .sequentiallyConsistent)
    }
    if isWanted() { askAll() }
  }

  /// Releases the upstreams that can deliver nothing more.
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

  /// Asks every upstream that has not been asked yet.
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

  /// Releases every upstream without cancelling it.
  public func releaseAll() {
    let released = takeAll()
    withExtendedLifetime(released) {}
  }

  /// Cancels and releases every upstream.
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
extension UpstreamList.State: Sendable {}
