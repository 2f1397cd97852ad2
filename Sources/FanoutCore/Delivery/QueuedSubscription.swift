// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of `drain`.

public import FanoutEngine

/// What the operators share that keep values until their subscriber asks: a queue that any thread adds
/// to, and the drain that delivers from it, each value once it is asked for, the end behind the last.
///
/// An item is a value with whatever the operator has to know when it was delivered. Subclasses are
/// final and say in `runOut()` what an item is: `deliverItems(_:afterEach:)` does the rest and is
/// inlined there, so that it is specialised.
@usableFromInline
class QueuedSubscription<Item, Downstream: Subscriber>: DrainedSource, Subscription,
  CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible, ReferenceListing
{
  /// What waits, guarded by a lock.
  @usableFromInline
  struct Waiting {
    @usableFromInline let items = Backlog<Item>()
    @usableFromInline var end: Subscribers.Completion<Downstream.Failure>?
    /// Whether nothing is accepted any more: an end was, or the subscription is cancelled.
    @usableFromInline var isClosed = false

    @inlinable init() {}
  }

  /// What is to be handed over next.
  @usableFromInline
  enum Supply {
    case item(Item)
    case end(Subscribers.Completion<Downstream.Failure>)
    case nothing
  }

  @usableFromInline final let waiting = Lock<Waiting?>(Waiting())
  /// Where the items come from, for an operator with one upstream.
  @usableFromInline final let stage = ReceiverStage(UpstreamBody())
  @usableFromInline final let name: StaticString
  @exclusivity(unchecked) @usableFromInline final var downstream: Downstream?
  @exclusivity(unchecked) @usableFromInline final var credit = Credit.none

  @inlinable
  init(downstream: Downstream, name: StaticString) {
    self.downstream = downstream
    self.name = name
    super.init()
  }

  /// Accepts the only upstream's subscription and tells the subscriber of this one.
  @usableFromInline
  func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    didAttach()
    begin()
  }

  /// Called when the upstream was accepted, before the subscriber is told.
  @usableFromInline func didAttach() {}

  /// Tells the subscriber of its subscription, and lets deliveries start.
  ///
  /// Called once; nothing is delivered before.
  @usableFromInline
  final func begin() {
    if let downstream {
      if let credit = downstream._adopt(self) {
        request(credit)
      } else {
        downstream.receive(subscription: self)
      }
    }
    runOut()
  }

  /// Adds an item behind all others; returns how many wait now, or nil if nothing is accepted.
  @inlinable
  @discardableResult
  final func add(_ item: Item) -> Int? {
    let count = append(item)
    if count != nil { wake() }
    return count
  }

  /// Adds an item as `add(_:)` does, and leaves it to the caller to see to its delivery.
  ///
  /// A final class that takes the drain itself calls its own `runOut()`, which is then specialised;
  /// `wake()` finds it by the class, where it never is.
  @inlinable
  final func append(_ item: Item) -> Int? {
    waiting.withLock { waiting -> Int? in
      guard let known = waiting, !known.isClosed else { return nil }
      known.items.append(item)
      return known.items.count
    }
  }

  /// Puts the end behind all items; the first end counts, and nothing is accepted after it.
  @usableFromInline
  final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let isFirst = waiting.withLock { waiting -> Bool in
      guard let known = waiting, !known.isClosed else { return false }
      waiting?.isClosed = true
      waiting?.end = completion
      return true
    }
    if isFirst { wake() }
  }

  /// Accepts the only upstream's end: lets go of it, and puts the end behind all items.
  @usableFromInline
  final func endOfUpstream(_ completion: Subscribers.Completion<Downstream.Failure>) {
    // Before there is an upstream it is nobody's: accepted, it would have the subscription refused,
    // and the subscriber would wait for ever.
    guard stage.withBody({ $0.adopted != nil }) ?? false else { return }
    guard stage.finish(for: self, taking: { _ in true }) ?? false else { return }
    end(completion)
  }

  @usableFromInline
  override func willCancel() { stage.cancel(for: self) }

  /// Delivers what is asked for, until nothing is left to do; to be called from `runOut()` alone.
  ///
  /// An item that is not ready holds up those behind it; `isReady` is called under the lock.
  @inlinable
  @inline(__always)
  final func deliverItems(
    when isReady: (Item) -> Bool = { _ in true }, _ value: (Item) -> Downstream.Input,
    afterEach: (Item, Credit) -> Void
  ) {
    repeat {
      drain.clear([.queued, .attention])
      _ = deliverWaiting(atMost: .max, when: isReady, value, afterEach: afterEach)
      if isCancelled { letGo() }
    } while !drain.tryLeave()
  }

  /// Delivers what is asked for up to a number of values, and the end, once; the caller holds the
  /// drain.
  ///
  /// Returns whether it stopped at that number, so that more may be to be delivered.
  @inlinable
  @inline(__always)
  final func deliverWaiting(
    atMost limit: Int, when isReady: (Item) -> Bool = { _ in true },
    _ value: (Item) -> Downstream.Input, afterEach: (Item, Credit) -> Void
  ) -> Bool {
    var count = 0
    while !isCancelled, let downstream {
      guard count < limit else { return true }
      if credit == .none { credit = pending.take() }
      let supply = take(isAsked: credit != .none, when: isReady)
      guard case .item(let item) = supply else {
        if case .end(let end) = supply { finish(end, downstream) }
        return false
      }
      let more = downstream._receiveGuarded(value(item)).credit
      credit = credit.afterOne + more
      afterEach(item, more)
      count &+= 1
    }
    return false
  }

  @inlinable
  @inline(__always)
  final func take(isAsked: Bool, when isReady: (Item) -> Bool) -> Supply {
    waiting.withLock { waiting in
      guard let known = waiting else { return .nothing }
      if isAsked, let first = known.items.first {
        if isReady(first), let item = known.items.popFirst() { return .item(item) }
        return .nothing
      }
      guard known.items.count == 0, let end = known.end else { return .nothing }
      return .end(end)
    }
  }

  @usableFromInline
  final func finish(
    _ end: Subscribers.Completion<Downstream.Failure>, _ downstream: Downstream
  ) {
    letGo()
    // What was released may have cancelled.
    if !isCancelled { downstream.receive(completion: end) }
  }

  /// Lets go of the subscriber and of everything that waits.
  @usableFromInline
  func letGo() {
    downstream = nil
    let old = waiting.withLock { waiting in
      defer { waiting = nil }
      return waiting
    }
    withExtendedLifetime(old) {}
    didLetGo()
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  package var heldReferences: [HeldReference] {
    var held: [HeldReference] = [.busy("downstream")]
    _ = whileIdle { held = downstream.map { [.value("downstream", $0)] } ?? [] }
    let (known, items) = waiting.withLock { ($0, $0?.items.values ?? []) }
    if let known { held += [.value("waiting", known), .value("waiting.items.log", items)] }
    return held + stage.heldReferences + drainedReferences
  }

  @usableFromInline final var description: String { "\(name)" }
  @usableFromInline final var playgroundDescription: Any { description }
  @usableFromInline final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

@available(*, unavailable)
extension QueuedSubscription.Waiting: Sendable {}

@available(*, unavailable)
extension QueuedSubscription.Supply: Sendable {}
