// `@unchecked Sendable` invariant: the state is reached only under its lock, which is taken under
// the other locks and under which no other is taken; the observer is a constant, and called outside
// all locks.

package import FanoutEngine

/// The events for the observer of a shared publisher: noted in their order, under any lock, and
/// told outside of it.
///
/// All generations of a share that starts again note them here, so that numbers are never used
/// twice.
package final class ObserverEvents: @unchecked Sendable {
  package enum Event: Sendable {
    case connected
    case ended(ConnectionEnd)
    case joined
    case receiver(ReceiverEvent)
  }

  package struct State {
    /// The events to tell, with the number of the connection or the subscriber.
    var events: [(event: Event, number: Int, label: String?)] = []
    var isTelling = false
    var connections = 0
    var subscribers = 0
  }

  package let observer: any SharingObserver
  package let state = Lock(State())

  init(_ observer: any SharingObserver) {
    self.observer = observer
    noteCreation(of: self, isPart: true)
  }

  /// Notes the events of a hub's receivers from now on; called before one comes.
  func observe<Element, End>(_ hub: Hub<Element, End>) {
    hub.observeReceivers(CountSubject(self))
  }

  /// Notes that a connection begins.
  func noteConnection() {
    state.withLock { state in
      state.connections += 1
      state.events.append((.connected, state.connections, nil))
    }
  }

  /// Notes that the connection that has begun last is over.
  func noteEnd(_ end: ConnectionEnd) {
    state.withLock { $0.events.append((.ended(end), $0.connections, nil)) }
  }

  /// Notes that a subscriber has joined, and returns its number.
  func noteJoin(label: String?) -> Int {
    state.withLock { state in
      state.subscribers += 1
      state.events.append((.joined, state.subscribers, label))
      return state.subscribers
    }
  }

  /// Notes an event of a subscriber.
  func note(_ event: ReceiverEvent, number: Int, label: String?) {
    state.withLock { $0.events.append((.receiver(event), number, label)) }
  }

  /// Tells the observer what was noted, unless a thread is doing so, which goes on with this.
  func tell() {
    var isFirst = true
    while true {
      let events = state.withLock { state -> [(event: Event, number: Int, label: String?)] in
        if isFirst, state.isTelling { return [] }
        state.isTelling = !state.events.isEmpty
        defer { state.events = [] }
        return state.events
      }
      guard !events.isEmpty else { return }
      isFirst = false
      for event in events { tell(event.event, event.number, event.label) }
    }
  }

  private func tell(_ event: Event, _ number: Int, _ label: String?) {
    let subscriber = ObservedSubscriber(id: number, label: label)
    switch event {
    case .connected: observer.connected(number)
    case .ended(let end): observer.ended(number, by: end)
    case .joined: observer.joined(subscriber)
    case .receiver(.left): observer.left(subscriber)
    case .receiver(.missed(let count)): observer.missed(count, by: subscriber)
    case .receiver(.rejoined): observer.rejoined(subscriber)
    case .receiver(.waiting(let count)): observer.waiting(count, for: subscriber)
    }
  }
}
