// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`.

public import FanoutCore
public import FanoutEngine

/// The subscription to the newest of the publishers that an upstream delivers.
///
/// What is requested and has not been accepted belongs to the newest publisher: the next one is asked for it anew.
@_fixed_layout
@usableFromInline
package final class SwitchedSubscription<Inner: Publisher, Downstream: Subscriber>:
  OldQueuedSubscription<Downstream.Input, Downstream>, Subscriber
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Inner
  @usableFromInline package typealias Failure = Downstream.Failure

  /// The newest publisher, unless it has ended.
  @exclusivity(unchecked) @usableFromInline package var current: InnerSubscription?
  /// Whether the newest publisher has its subscription.
  @exclusivity(unchecked) @usableFromInline var isAttached = false
  /// The demand that is requested and has not been accepted.
  @exclusivity(unchecked) @usableFromInline var outstanding = Credit.none
  /// Whether no more publishers come.
  @exclusivity(unchecked) @usableFromInline var isLast = false

  @inlinable
  init(downstream: Downstream) {
    super.init(downstream: downstream, name: "SwitchToLatest") {
      unsafeDowncast($0, to: SwitchedSubscription.self).deliverSwitched(isLimited: $1)
    }
  }

  @usableFromInline
  package override func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    stage.request(.unlimited)
  }

  @inlinable
  package func receive(_ publisher: Inner) -> Subscribers.Demand {
    guard !stage.isClosed, let feed = replaceCurrent() else { return .none }
    publisher.receive(subscriber: SwitchedSubscriber(self, feed))
    return .none
  }

  /// Cancels the newest publisher, and returns the place of the next one; nil if nothing is accepted any more.
  @inlinable
  func replaceCurrent() -> InnerSubscription? {
    let feed = InnerSubscription()
    let (isAccepted, last) = waiting.withLock { waiting -> (Bool, InnerSubscription?) in
      guard let known = waiting, !known.isClosed else { return (false, nil) }
      defer { (current, isAttached) = (feed, false) }
      return (true, current)
    }
    guard isAccepted else { return nil }
    last?.cancel()
    // Its values, or what it released, may have brought a newer one or a cancel.
    return feed.isClosed ? nil : feed
  }

  @usableFromInline
  package func receive(completion: Subscribers.Completion<Failure>) {
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    if case .failure = completion { return fail(completion) }
    let isOver = waiting.withLock { _ in
      isLast = true
      return current == nil
    }
    if isOver { end(.finished) }
  }

  /// Notes that a publisher has its subscription, and returns what to request from it.
  @inlinable
  func didAttach(_ feed: InnerSubscription) -> Credit {
    waiting.withLock { _ in
      guard current === feed else { return .none }
      isAttached = true
      return outstanding
    }
  }

  @inlinable
  func didEnd(_ feed: InnerSubscription, _ completion: Subscribers.Completion<Failure>) {
    if case .failure = completion {
      // Decided at once: a failure that a newer publisher has overtaken must not count.
      let isAccepted = waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed, current === feed else { return false }
        waiting?.isClosed = true
        return true
      }
      guard isAccepted else { return }
      _ = closeAll()
      return deliverEnd(completion)
    }
    let isOver = waiting.withLock { _ in
      guard current === feed else { return false }
      current = nil
      return isLast
    }
    if isOver { end(.finished) }
  }

  /// Cancels the upstream and the newest publisher, and fails behind the waiting values.
  func fail(_ completion: Subscribers.Completion<Failure>) {
    if closeAll() { deliverEnd(completion) }
  }

  package override func willCancel() { _ = closeAll() }

  @usableFromInline
  func closeAll() -> Bool {
    let isFirst = close()
    let last = waiting.withLock { _ in current.take() }
    stage.cancel(for: self)
    last?.cancel()
    return isFirst
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    if credit != .none, !isCancelled, !isOver { ask(for: credit) }
  }

  /// Requests more values from the newest publisher, and from those that follow it.
  @usableFromInline
  func ask(for credit: Credit) {
    let asked = waiting.withLock { _ in
      outstanding = outstanding + credit
      return isAttached ? current : nil
    }
    asked?.request(credit)
  }

  /// Accepts a value of the newest publisher.
  ///
  /// It is delivered at once only if everything is requested: then nothing has to be counted. A newer publisher closes
  /// this one before it delivers, so its values are not overtaken by this one.
  @inlinable
  @inline(__always)
  func accept(_ value: Downstream.Input, from feed: InnerSubscription) {
    deliverAtOnce(
      value, if: { credit.isUnlimited && !feed.isClosed },
      orEnqueue: { enqueue(value, from: feed) })
  }

  @inlinable
  @inline(never)
  func enqueue(_ value: Downstream.Input, from feed: InnerSubscription) {
    let isAccepted = waiting.withLock { waiting in
      guard let known = waiting, !known.isClosed, current === feed else { return false }
      known.items.append(value)
      if outstanding != .none { outstanding = outstanding.afterOne }
      return true
    }
    if isAccepted { wake() }
  }

  @inlinable
  func deliverSwitched(isLimited: Bool) {
    deliverItems(
      isLimited: isLimited, { $0 }, afterEach: { _, more in if more != .none { ask(for: more) } })
  }
}

/// The subscriber to the newest of the publishers that an upstream delivers.
@frozen @usableFromInline
package struct SwitchedSubscriber<Inner: Publisher, Downstream: Subscriber>: Subscriber
where Inner.Output == Downstream.Input, Inner.Failure == Downstream.Failure {
  @usableFromInline package typealias Input = Downstream.Input
  @usableFromInline package typealias Failure = Downstream.Failure

  @usableFromInline package let parent: SwitchedSubscription<Inner, Downstream>
  @usableFromInline package let feed: InnerSubscription

  @inlinable
  init(_ parent: SwitchedSubscription<Inner, Downstream>, _ feed: InnerSubscription) {
    self.parent = parent
    self.feed = feed
  }

  @usableFromInline package var combineIdentifier: CombineIdentifier { CombineIdentifier(feed) }

  @usableFromInline
  package func receive(subscription: any Subscription) {
    guard feed.attach(deliverySource(of: subscription)) else { return }
    let credit = parent.didAttach(feed)
    if credit != .none { feed.request(credit) }
  }

  @inlinable
  package func _fuse(_ source: DeliverySource) -> Credit? {
    feed.attach(source) ? parent.didAttach(feed) : Credit.none
  }

  @inlinable
  package func receive(_ input: Input) -> Subscribers.Demand {
    if !feed.isClosed { parent.accept(input, from: feed) }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<Failure>) {
    if feed.finish() { parent.didEnd(feed, completion) }
  }
}

@available(*, unavailable)
extension SwitchedSubscriber: Sendable {}
