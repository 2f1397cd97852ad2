// Unmanaged references: a subscription owns the retains that are made for it here; see `Cursor`.

public import FanoutEngine

/// The way into a shared publisher: its hub, the object that retains it, and the terms on which a
/// subscriber joins.
@_documentation(visibility: internal)
public struct SharedAccess<Output, Failure: Error> {
  typealias End = Subscribers.Completion<Failure>

  let hub: Hub<Output, End>
  /// The object that a subscription retains; it retains the hub and the counter.
  let owner: AnyObject
  /// The counter for subscribers that keep a connection alive.
  let counter: SubscriberCounter?
  /// The claims on the connection that carries the values, if there is one.
  let claims: ConnectionClaims?
  var place = JoinPlace<Output>.replay
  var policy: BacklogPolicy<Output, End>?
  var label: String?
  /// The closure that returns whether a subscriber takes a value, if it takes only some.
  var selects: ((Output) -> Bool)?
  /// Whether the values are a reduced state, of which every receiver gets a snapshot when a new
  /// connection begins.
  var isState = false

  init(
    hub: Hub<Output, Subscribers.Completion<Failure>>, owner: AnyObject,
    counter: SubscriberCounter? = nil, claims: ConnectionClaims? = nil
  ) {
    self.hub = hub
    self.owner = owner
    self.counter = counter
    self.claims = claims
  }

  /// Whether a subscriber joins as any other.
  private var isPlain: Bool {
    guard case .replay = place else { return false }
    return policy == nil && label == nil && selects == nil
  }

  /// Sets the terms on a cursor that is about to join.
  private func setTerms(
    on cursor: Cursor<Output, End>, selection: Selection<Output>?,
    tell: ((_ receiver: AnyObject, Notice<Output>) -> Credit)? = nil
  ) {
    guard tell != nil || !isPlain else { return }
    cursor.setTerms(
      policy ?? hub.impliedPolicy, place: place, label: label, selection: selection, tell: tell)
  }

  /// Attaches a subscriber, and starts the connection if it is the first.
  ///
  /// The closure is formed by the caller, where the type of the subscriber is known.
  @usableFromInline
  func attach<Downstream: Subscriber>(
    _ subscriber: Downstream,
    deliver: @escaping (_ receiver: AnyObject, Output) -> Credit = {
      Downstream._deliver($1, to: $0).credit
    }
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    let selection = selection
    let subscription = CountedSubscription<Downstream>(
      hub: .passUnretained(hub), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, counter: counter,
      deliver: selecting(selection, deliver))
    setTerms(on: subscription, selection: selection)
    start(subscription) { hub.attach(subscriber, by: subscription) }
  }

  /// Attaches a subscriber that is told more than its values, and starts the connection if it is
  /// the first.
  @usableFromInline
  func attach<Downstream: Subscriber>(
    _ subscriber: Downstream, tell: @escaping (_ receiver: AnyObject, Notice<Output>) -> Credit
  ) where Downstream.Input == Delivery<Output>, Downstream.Failure == Failure {
    let subscription = DeliveriesSubscription<Output, Downstream>(
      hub: .passUnretained(hub), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, counter: counter)
    setTerms(on: subscription, selection: selection, tell: tell)
    start(subscription) {
      hub.join(subscription)
      subscriber.receive(subscription: subscription)
      subscription.begin()
    }
  }

  /// A new selection for one subscriber, if it takes only some values.
  private var selection: Selection<Output>? { selects.map { Selection($0) } }

  /// Returns the closure that delivers; if there is a selection, it delivers what that takes.
  private func selecting(
    _ selection: Selection<Output>?, _ deliver: @escaping (_ receiver: AnyObject, Output) -> Credit
  ) -> (_ receiver: AnyObject, Output) -> Credit {
    guard let selection else { return deliver }
    // The backlog of an attached cursor retains it, and is released with the receiver.
    let unretained = Unmanaged.passUnretained(selection)
    return { receiver, value in
      guard unretained._withUnsafeGuaranteedRef({ $0.takes(value) }) else { return .none }
      return deliver(receiver, value)
    }
  }

  /// Attaches the closures of a sink, and starts the connection if it is the first.
  @usableFromInline
  func sink(
    _ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>
  ) -> AnyCancellable {
    guard isPlain else { return Subscribers.Sink(closures).attached { attach($0) } }
    // It may hold the only reference to the share of a key, whose connection is started behind the
    // join.
    defer { withExtendedLifetime(self) {} }
    guard let counter else { return hub.sink(closures, owner: owner) }
    return CountedSink.attach(
      consume closures, to: .passUnretained(hub), of: .passRetained(owner),
      counter: .passUnretained(counter))
  }

  /// Makes a cursor for a loop, and starts the connection if it is the first.
  ///
  /// - Parameter isTold: Whether the loop is told more than its values.
  /// - Returns: The cursor, or nil if such a loop requests its values instead.
  func makeCursor(isTold: Bool = false) -> ElementCursor<Output, Failure>? {
    // A selection is the user's code, which must not run under the lock under which a loop fetches.
    guard !isState, selects == nil, hub.canFetch(at: place, policy) else { return nil }
    var terms: LimitedBacklog<Output, End>?
    if isTold || !isPlain || policy != nil || hub.limits != nil {
      let policy = policy ?? hub.limits?.policy ?? .unbounded
      terms = LimitedBacklog(policy, place: place, label: label)
    }
    let counter = self.counter
    let connection = counter?.enter()
    // Not by `map`, which would wrap the closure in another one.
    var whenLeft: ((_ atEnd: Bool) -> Void)?
    if let counter { whenLeft = { counter.leave(atEnd: $0) } }
    // Another thread may cancel the cursor before the connection is started.
    defer { withExtendedLifetime(owner) {} }
    let cursor = PullCursor(hub: hub, owner: owner, terms, isTold: isTold, whenLeft: whenLeft)
    // A loop that requests its values joins instead, if newcomers have to wait since it was asked.
    guard hub.join(cursor) else { return nil }
    if let connection { counter?.start(connection) }
    return ElementCursor(cursor)
  }

  /// A publisher for a subscriber that takes its time between two requests: nothing is lost
  /// meanwhile, unless a backlog says so.
  var losingNothing: AccessedPublisher<Output, Failure> {
    var access = self
    if policy == nil, hub.limits == nil, hub.newestAccepted == nil { access.policy = .unbounded }
    return AccessedPublisher(_access: access)
  }

  /// Counts a subscriber in, lets it join, and starts the connection.
  private func start(_ cursor: Cursor<Output, End>, _ join: () -> Void) {
    // It may hold the only reference to the share of a key, whose connection is started behind the
    // join.
    defer { withExtendedLifetime(self) {} }
    let connection = counter?.enter()
    join()
    // A backlog of its own collects from the first value on.
    if policy != nil { hub.receiverAsked(cursor) }
    if let connection { counter?.start(connection) }
  }
}

@available(*, unavailable)
extension SharedAccess: Sendable {}
