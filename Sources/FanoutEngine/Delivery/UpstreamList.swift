// `@unchecked Sendable` invariant: the upstreams are reached only under the lock, and leave it in
// arrays that one thread owns; asking, cancelling and releasing happen outside it.

/// An object that asks the upstreams of a hub.
public protocol DemandObserver: AnyObject {
  /// Requests everything from each upstream that has not been asked yet.
  ///
  /// Called outside the drain, while the owner of the hub is retained.
  func requestAll()
}

/// The upstreams of a hub: each is asked for everything once that is wanted, and cancelled with the
/// list.
public final class UpstreamList: DemandObserver, @unchecked Sendable {
  package struct State {
    /// The upstreams: first those that were asked, then the others.
    package var feeds: [DeliverySource] = []
    package var askedCount = 0

    /// Counts the next upstream that has not been asked as asked, and returns it.
    mutating func nextToAsk() -> DeliverySource? {
      guard askedCount < feeds.count else { return nil }
      defer { askedCount += 1 }
      return feeds[askedCount]
    }

    /// Removes the upstreams that are over; returns all, so that none is released under the lock.
    mutating func removeOver() -> [DeliverySource] {
      guard feeds.contains(where: { $0.isOver }) else { return [] }
      let known = self
      self = State()
      for (place, feed) in known.feeds.enumerated() where !feed.isOver {
        feeds.append(feed)
        if place < known.askedCount { askedCount += 1 }
      }
      return known.feeds
    }
  }

  package let state = Lock(State())

  /// Creates an empty list.
  public init() { noteCreation(of: self, isPart: true) }

  deinit { cancelAll() }

  /// Adds an upstream of a hub, and asks it for values: at once, or when the first receiver has
  /// requested one.
  public func add<Element, End>(
    _ feed: DeliverySource, of hub: Hub<Element, End>, isAskedAtOnce: Bool
  ) {
    let known = state.withLock { state in
      defer { state.feeds.append(feed) }
      return state.removeOver()
    }
    withExtendedLifetime(known) {}
    if isAskedAtOnce { requestAll() } else { hub.requestLater() }
  }

  /// Requests everything from each upstream that has not been asked yet.
  public func requestAll() {
    while let feed = state.withLock({ $0.nextToAsk() }) { feed.request(.unlimited) }
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
      let all = state.feeds
      state = State()
      return all
    }
  }
}
