// `@unchecked Sendable` invariant: all properties are constants, and safe to use from any thread.
// Unmanaged references: a subscription owns the retain that is made for it; see `Cursor`.

public import FanoutEngine

/// The hub of a broadcast, and the account of its senders and subscribers.
///
/// Subscriptions retain this and not the broadcast, which finishes when it is released.
@usableFromInline
package class BroadcastCore<Element, Failure: Error>: @unchecked Sendable {
  typealias End = Subscribers.Completion<Failure>

  @usableFromInline package final let hub: Hub<Element, Subscribers.Completion<Failure>>
  package final let room: BroadcastRoom
  package final let counter: BroadcastCounter
  /// The events for an observer, if there is one.
  package final let events: ObserverEvents?
  /// The end that waits until the values in front of it have been accepted.
  package final let pendingEnd = Lock<Subscribers.Completion<Failure>?>(nil)

  /// Whether a subclass sends the values to the hub.
  @usableFromInline final let isReducing: Bool

  init(
    _ replay: Replay<Element>, _ backlog: Backlog<Element, Failure>?,
    _ observer: (any SharingObserver)?, isReducing: Bool = false
  ) {
    self.isReducing = isReducing
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

  /// Admits a value, or says why not.
  @usableFromInline
  final func admitNow() -> Sent { room.beginNow() }

  /// Admits a value as soon as there is room, or says why not.
  @usableFromInline
  final func admit(isolation actor: isolated (any Actor)?) async -> Sent {
    switch room.begin() {
    case .result(let admission): return admission
    case .waiting(let turn):
      return await withTaskCancellationHandler {
        await turn.wait(isolation: actor)
      } onCancel: { [self] in
        room.cancel(turn)
      }
    }
  }

  /// Sends a value if it was admitted.
  @inlinable
  @inline(never)
  package final func pass(_ element: Element, _ admission: Sent) -> Sent {
    guard admission.isAccepted else { return admission }
    if isReducing { accept(element) } else { hub.send(element) }
    endTurn()
    return admission
  }

  /// The `ReducedCell` of a subclass.
  var reducedCell: AnyObject? { nil }

  /// Sends an admitted value to the hub, together with what the subclass keeps of it.
  @usableFromInline
  func accept(_ element: Element) {
    fatalError("BroadcastCore.accept(_:) is abstract; override it in the subclass.")
  }

  /// Ends the broadcast behind a value, if its end waits for that.
  @usableFromInline
  final func endTurn() { if room.endTurn() { finish() } }

  /// Ends the values, behind those that were admitted.
  package final func end(_ end: Subscribers.Completion<Failure>) {
    guard room.close(keeping: { pendingEnd.withLock { $0 = end } }) else { return }
    finish()
  }

  final func finish() {
    if let end = pendingEnd.take() { hub.finish(end) }
  }
}
