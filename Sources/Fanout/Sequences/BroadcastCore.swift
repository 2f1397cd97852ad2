// `@unchecked Sendable` invariant: all properties are constants, and safe to use from any thread.
// Unmanaged references: a subscription owns the retain that is made for it; see `Cursor`.

package import FanoutEngine

/// The hub of a broadcast, and the account of its senders and subscribers.
///
/// Subscriptions retain this and not the broadcast, which finishes when it is released.
package final class BroadcastCore<Element, Failure: Error>: @unchecked Sendable {
  typealias End = Subscribers.Completion<Failure>

  package let hub: Hub<Element, Subscribers.Completion<Failure>>
  package let room: BroadcastRoom
  package let counter: BroadcastCounter
  /// The events for an observer, if there is one.
  package let events: ObserverEvents?
  /// The end that waits until the values in front of it have been accepted.
  package let pendingEnd = Lock<Subscribers.Completion<Failure>?>(nil)

  init(
    _ replay: Replay<Element>, _ backlog: Backlog<Element, Failure>?,
    _ observer: (any SharingObserver)?
  ) {
    backlog?.check(replay)
    hub = Hub(replay.memory, limits: backlog.map { BacklogLimits($0.policy) })
    room = BroadcastRoom(isLimited: hub.limitsDemand)
    counter = BroadcastCounter(room)
    events = observer.map { ObserverEvents($0) }
    events?.observe(hub)
    noteCreation(of: self, isPart: true)
    hub.admitUpstream(room)
  }

  /// The way in for one subscriber.
  var access: SharedAccess<Element, Failure> {
    SharedAccess(hub: hub, owner: self, counter: counter)
  }

  /// Sends a value if it was admitted.
  package func pass(_ element: Element, _ admission: Sent) -> Sent {
    guard case .accepted = admission.outcome else { return admission }
    hub.send(element)
    if room.endTurn() { finish() }
    return admission
  }

  /// Ends the values, behind those that were admitted.
  package func end(_ end: Subscribers.Completion<Failure>) {
    guard room.close(keeping: { pendingEnd.withLock { $0 = end } }) else { return }
    finish()
  }

  func finish() {
    if let end = pendingEnd.take() { hub.finish(end) }
  }
}
