// `@unchecked Sendable` invariant: the upstreams are reached only under the lock, and leave it in arrays
// that one thread owns; asking, cancelling and releasing happen outside it.
// The relaxed store is made under the lock.

internal import Synchronization

/// An object that learns when the first receiver of a hub requests a value.
public protocol DemandObserver: AnyObject {
  /// Called outside the drain, by the thread that requests the value; the owner of the hub is retained.
  func receiversAsked()
}

/// The upstreams of a hub: each is asked for everything once that is wanted, and cancelled with the list.
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

    /// Removes the upstreams that can deliver nothing more.
    ///
    /// Returns them, so that they are released outside the lock: a single one without an array, as
    /// that is the usual case.
    mutating func takeOver() -> (one: DeliverySource?, others: [DeliverySource]) {
      guard let place = feeds.firstIndex(where: { $0.isOver }) else { return (nil, []) }
      let one = feeds.remove(at: place)
      if place < askedCount { askedCount -= 1 }
      guard feeds[place...].contains(where: { $0.isOver }) else { return (one, []) }
      let known = State(feeds: feeds, askedCount: askedCount)
      self = State()
      for (place, feed) in known.feeds.enumerated() where !feed.isOver {
        feeds.append(feed)
        if place < known.askedCount { askedCount += 1 }
      }
      return (one, known.feeds)
    }
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
      state.feeds.append(feed)
      // Before `isWanted`: a thread that requests a value looks here after that.
      hasUnasked.store(true, ordering: .sequentiallyConsistent)
    }
    if isWanted() { receiversAsked() }
  }

  /// Releases the upstreams that can deliver nothing more.
  private func forgetOver() {
    let over = state.withLock { $0.takeOver() }
    withExtendedLifetime(over) {}
  }

  /// Asks every upstream that has not been asked yet.
  public func receiversAsked() {
    guard hasUnasked.load(ordering: .sequentiallyConsistent) else { return }
    while let feed = nextToAsk() { feed.request(.unlimited) }
  }

  private func nextToAsk() -> DeliverySource? {
    state.withLock { state in
      let next = state.nextToAsk()
      if next == nil { hasUnasked.store(false, ordering: .relaxed) }
      return next
    }
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

@available(*, unavailable)
extension UpstreamList.State: Sendable {}
