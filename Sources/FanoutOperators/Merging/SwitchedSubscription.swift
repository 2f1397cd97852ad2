// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`.

package import FanoutCore
package import FanoutEngine

/// The subscription to the newest of the publishers that an upstream delivers.
///
/// What is requested and has not been accepted belongs to the newest publisher: the next one is
/// asked for it anew.
package final class SwitchedSubscription<Input, Output, Failure: Error>: JoiningSubscription<
  Input, Output, Failure
>
{
  /// Subscribes to a publisher; formed where its type is known.
  let subscribe: (JoiningSubscription<Input, Output, Failure>, Input) -> Void
  /// The newest publisher, unless it has ended.
  @exclusivity(unchecked) package var current: InnerSubscription?
  /// Whether the newest publisher has its subscription.
  @exclusivity(unchecked) var isAttached = false
  /// The demand that is requested and has not been accepted.
  @exclusivity(unchecked) var outstanding = Credit.none
  @exclusivity(unchecked) var disallowsDrops = false
  /// Whether no more publishers come.
  @exclusivity(unchecked) var isLast = false

  init(
    downstream: ErasedSubscriber<Output, Failure>,
    subscribe: @escaping (JoiningSubscription<Input, Output, Failure>, Input) -> Void
  ) {
    self.subscribe = subscribe
    super.init(downstream: downstream, name: "SwitchToLatest")
  }

  package override func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    stage.request(.unlimited)
  }

  package override func receive(_ publisher: Input) -> Subscribers.Demand {
    if !stage.isClosed { subscribe(self, publisher) }
    return .none
  }

  /// Cancels the newest publisher, and returns the subscriber to the next one; nil if nothing is
  /// accepted any more.
  override func makeSubscriber() -> JoinedSubscriber<Input, Output, Failure>? {
    let feed = InnerSubscription()
    let (isAccepted, last) = state.withLock { state -> (Bool, InnerSubscription?) in
      guard !state.isClosed else { return (false, nil) }
      defer { (current, isAttached) = (feed, false) }
      return (true, current)
    }
    guard isAccepted else { return nil }
    last?.cancel()
    // Its values, or what it released, may have brought a newer one or a cancel.
    return feed.isClosed ? nil : JoinedSubscriber(parent: self, feed: feed)
  }

  package override func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    if case .failure = completion {
      if closeAll() { deliverEnd(completion) }
      return
    }
    let isOver = state.withLock { _ in
      isLast = true
      return current == nil
    }
    if isOver { end(.finished) }
  }

  override func didAttach(_ feed: InnerSubscription) -> Credit {
    let (credit, isToDropNone) = state.withLock { _ in
      guard current === feed else { return (Credit.none, false) }
      isAttached = true
      return (outstanding, disallowsDrops)
    }
    return isToDropNone && feed.disallowDrops() ? .unlimited : credit
  }

  override func feedDidEnd(
    _ feed: InnerSubscription, _ completion: Subscribers.Completion<Failure>
  ) {
    if case .failure = completion {
      // Decided at once: a failure that a newer publisher has overtaken must not count.
      let isAccepted = state.withLock { state in
        guard !state.isClosed, current === feed else { return false }
        state.isClosed = true
        return true
      }
      guard isAccepted else { return }
      _ = closeAll()
      return deliverEnd(completion)
    }
    let isOver = state.withLock { _ in
      guard current === feed else { return false }
      current = nil
      return isLast
    }
    if isOver { end(.finished) }
  }

  package override func willCancel() { _ = closeAll() }

  /// Closes the queue and cancels everything; returns whether the end was not decided before.
  func closeAll() -> Bool {
    let isFirst = close()
    let last = state.withLock { _ in current.take() }
    stage.cancel(for: self)
    last?.cancel()
    return isFirst
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    if credit != .none, !isCancelled, !isOver { ask(for: credit) }
  }

  /// Requests values from the newest publisher, or from the next one when it has its subscription.
  package override func disallowDrops() -> Bool {
    let feed = state.withLock { _ in
      disallowsDrops = true
      return current
    }
    if let feed, feed.disallowDrops() { feed.request(.unlimited) }
    return false
  }

  func ask(for credit: Credit) {
    let asked = state.withLock { _ in
      outstanding = outstanding + credit
      return isAttached ? current : nil
    }
    asked?.request(credit)
  }

  /// Accepts a value of a publisher, if that is the newest.
  override func accept(_ value: Output, from feed: InnerSubscription) {
    deliverAtOnce(
      value, if: { credit.isUnlimited && !feed.isClosed }, orEnqueue: { enqueue(value, from: feed) }
    )
  }

  @inline(never)
  private func enqueue(_ value: Output, from feed: InnerSubscription) {
    let isAccepted = state.withLock { state in
      guard !state.isClosed, current === feed else { return false }
      items.append(value)
      if outstanding != .none { outstanding = outstanding.afterOne }
      return true
    }
    if isAccepted { wake() }
  }

  package override func runOut(isLimited: Bool) {
    deliverItems(isLimited: isLimited) { more in if more != .none { ask(for: more) } }
  }
}
