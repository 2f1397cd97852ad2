// Unmanaged references: a subscription owns the retains that are made for it here; see `Cursor`.

public import FanoutEngine

/// The way into a shared publisher: its hub, the object that retains it, and the terms on which a subscriber joins.
@_documentation(visibility: internal)
public struct SharedAccess<Output, Failure: Error> {
  @usableFromInline typealias End = Subscribers.Completion<Failure>

  @usableFromInline let hub: Hub<Output, End>
  /// The object that a subscription retains; it retains the hub and the counter.
  @usableFromInline let owner: AnyObject
  /// The counter for subscribers that keep a connection alive.
  @usableFromInline let counter: SubscriberCounter?
  /// The multicast whose connection carries the values.
  @usableFromInline let multicast: (any Reconnecting)?
  @usableFromInline var place = JoinPlace<Output>.replay
  @usableFromInline var policy: BacklogPolicy<End>?
  @usableFromInline var label: String?

  @inlinable
  init(
    hub: Hub<Output, Subscribers.Completion<Failure>>, owner: AnyObject,
    counter: SubscriberCounter? = nil, multicast: (any Reconnecting)? = nil
  ) {
    self.hub = hub
    self.owner = owner
    self.counter = counter
    self.multicast = multicast
  }

  /// Whether a subscriber joins as any other.
  @inlinable var isPlain: Bool {
    guard case .replay = place else { return false }
    return policy == nil && label == nil
  }

  /// Sets the terms on a cursor that is about to join.
  @inlinable
  func setTerms(
    on cursor: Cursor<Output, End>,
    tell: ((_ receiver: AnyObject, Notice<Output>) -> Credit)? = nil
  ) {
    guard tell != nil || !isPlain else { return }
    cursor.setTerms(policy ?? hub.impliedPolicy, place: place, label: label, tell: tell)
  }

  /// Attaches a subscriber, and starts the connection if it is the first.
  @inlinable
  func attach<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Failure {
    let subscription = JoinedSubscription<Downstream>(
      hub: .passUnretained(hub), owner: .passRetained(owner),
      receiver: subscriber._retainedReceiver, counter: counter)
    setTerms(on: subscription)
    start(subscription) { hub.attach(subscriber, by: subscription) }
  }

  /// Counts a subscriber in, lets it join, and starts the connection.
  @inlinable
  func start(_ cursor: Cursor<Output, End>, _ join: () -> Void) {
    let connection = counter?.enter()
    join()
    // A backlog of its own collects from the first value on.
    if policy != nil { hub.receiverAsked(cursor) }
    if let connection { counter?.start(connection) }
  }
}

/// A publisher whose connection can be replaced.
@usableFromInline
protocol Reconnecting: AnyObject {
  /// Replaces the connection, if there is one.
  func reconnect()
  /// Whether there is a connection.
  var isConnected: Bool { get }
}

@available(*, unavailable)
extension SharedAccess: Sendable {}
